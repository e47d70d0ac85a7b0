import { keyringOf, makeFileSigner } from '../../../../simulator/ima/file-signer.ts'
import { imaBufEntry, imaSigEntry } from '../../../../simulator/ima/make-entry.ts'
import {
  derSignature,
  P384,
  P521,
  p256Spki,
  pointOf,
  signEcdsa,
} from '../../../../simulator/soft/ecdsa.ts'
import { scalarOf } from '../../../../simulator/soft/keys.ts'
import { digest } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, text, toHex, u8 } from '../../../../simulator/tpm/write.ts'
import {
  bits,
  der,
  integer,
  octets,
  oid,
  sequence,
  set,
  time,
  utf8,
} from '../../../../simulator/x509/der.ts'
import { FILES, measured } from './list-evidence.ts'
import type { NearMiss } from './near-miss.ts'

const PATH = '/opt/one'
const SCALAR = scalarOf('signer with a certificate')
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const SUBJECT_KEY_IDENTIFIER = oid('551d0e')
const [VERSION, EXTENSIONS] = [0xa0, 0xa3]

const sign = (content: Uint8Array) => derSignature(signEcdsa(SCALAR, content))

/** Returns a self-signed certificate, with this subject key identifier or without one. */
function certificateOf(publicDer: Uint8Array, identifier: Uint8Array | undefined): Uint8Array {
  const name = sequence(set(sequence(oid('550403'), utf8('signs files'))))
  const validity = sequence(time('20200101000000Z'), time('20491231000000Z'))
  const extensions =
    identifier === undefined
      ? []
      : [der(EXTENSIONS, sequence(sequence(SUBJECT_KEY_IDENTIFIER, octets(octets(identifier)))))]
  const signed = sequence(
    der(VERSION, integer(2n)),
    integer(7n),
    ECDSA_WITH_SHA256,
    ...[name, validity, name, publicDer],
    ...extensions,
  )
  return sequence(signed, ECDSA_WITH_SHA256, bits(sign(signed)))
}

/** A signed file behind the certificate of its key, which is listed; the key id is the end of the identifier, if there is one. */
function certified(says: string, identifier?: Uint8Array): NearMiss {
  return {
    sends: `a signed file behind the listed certificate of its key, ${says}`,
    forms: ['signing-keys'],
    evidence: () => {
      const publicDer = p256Spki(pointOf(SCALAR))
      const keyId = identifier && Buffer.from(identifier).readUInt32BE(identifier.length - 4)
      const signer = makeFileSigner({ publicDer, sign }, keyId)
      const certificate = certificateOf(publicDer, identifier)
      const file = imaSigEntry(PATH, digest('sha256', text(PATH)), signer.sign(text(PATH)))
      return measured([...FILES, imaBufEntry('.ima', certificate), file], {
        listed: FILES,
        policy: { keyrings: { '.ima': [toHex(digest('sha256', certificate))] } },
      })
    },
  }
}

/** A signed file under a policy with its key, which is on another curve than most. */
function onCurve(name: string, curve: typeof P384, curveOid: string): NearMiss {
  return {
    sends: `a file signed by a key on ${name}`,
    forms: ['signing-keys'],
    evidence: () => {
      const { x, y } = pointOf(SCALAR, curve)
      const point = cat(u8(4), x, y)
      const publicDer = sequence(sequence(oid('2a8648ce3d0201'), oid(curveOid)), bits(point))
      const sign = (content: Uint8Array) =>
        derSignature(signEcdsa(SCALAR, content, 'sha256', '', curve))
      const keyId = Buffer.from(digest('sha1', point)).readUInt32BE(16)
      const signer = makeFileSigner({ publicDer, sign }, keyId)
      const file = imaSigEntry(PATH, digest('sha256', text(PATH)), signer.sign(text(PATH)))
      const policy = { 'verification-keys': keyringOf([signer]) }
      return measured([...FILES, file], { listed: FILES, policy })
    },
  }
}

/** Files that are signed by keys of certificates, and by keys on longer curves. */
export const CERTIFIED_SIGNERS: readonly NearMiss[] = [
  certified('whose identifier is not of the key', cat(filled(16, 1), filled(4, 2))),
  certified('whose identifier has four bytes', filled(4, 3)),
  certified('which has no identifier'),
  onCurve('P-384', P384, '2b81040022'),
  onCurve('P-521', P521, '2b81040023'),
]
