import {
  keyringOf,
  makeFileSigner,
  signedFileEntry,
} from '../../../../simulator/ima/file-signer.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { imaBufEntry, imaSigEntry } from '../../../../simulator/ima/make-entry.ts'
import { derSignature, p256Spki, pointOf, signEcdsa } from '../../../../simulator/soft/ecdsa.ts'
import { scalarOf } from '../../../../simulator/soft/keys.ts'
import { digest } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, text, toHex, u8, u16, u32 } from '../../../../simulator/tpm/write.ts'
import { ran } from '../../../../simulator/vectors/ima/list-evidence.ts'
import { CERTIFIED_SIGNERS } from './certified-signers.ts'
import { FILES, measured } from './list-evidence.ts'
import { lastBit, type NearMiss, type NearMissGroup } from './near-miss.ts'
import { RSA_SIGNED_FILES } from './rsa-signed-files.ts'
import { SIGNATURE_VERSIONS } from './signature-versions.ts'

const ROW = 'VER-EVIDENCE-IMA-SIGNATURE'
const FORMS = { forms: ['signing-keys'] } as const
const [ONE, OTHER] = ['/opt/one', '/opt/other']
const LABEL = 'signer of files'
/** Bytes of `security.ima` before the signature itself; the last two are its length. */
const HEAD = 9
/** Numbers of hashes in a signature (enum hash_algo of the kernel). */
const HASH_ALGOS = [
  ['sha384', 5],
  ['sha512', 6],
] as const

/** A signer that always signs the same content alike. */
function signerOf(label: string) {
  const scalar = scalarOf(label)
  return makeFileSigner({
    publicDer: p256Spki(pointOf(scalar)),
    sign: (content) => derSignature(signEcdsa(scalar, content)),
  })
}

/** A signer, the keyring with its key, and a signer that is in no keyring; made when the first list needs them. */
function makeSigners() {
  const [signer, stranger] = [signerOf(LABEL), signerOf('another signer of files')]
  return { signer, stranger, keyring: keyringOf([signer]), one: signedFileEntry(ONE, signer) }
}

let made: ReturnType<typeof makeSigners> | undefined
const signers = () => (made ??= makeSigners())

/** Files that the policy does not list, under a policy with a keyring. */
function files(
  sends: string,
  entries: (keys: ReturnType<typeof makeSigners>) => readonly ImaEntry[],
  { breaks, keyring }: { readonly breaks?: string; readonly keyring?: '' } = {},
): NearMiss {
  return {
    ...FORMS,
    sends,
    ...(breaks && { breaks }),
    evidence: () => {
      const keys = signers()
      return measured([...FILES, ...entries(keys)], {
        listed: FILES,
        policy: { 'verification-keys': keyring ?? keys.keyring },
      })
    },
  }
}

const BAD = { breaks: ROW }

/** A file with its digest and any signature. */
function signedBy(path: string, signature: Uint8Array, content = path): ImaEntry {
  return imaSigEntry(path, digest('sha256', text(content)), signature)
}

/** The signature of another key under the id of the trusted one. */
function underId(keyId: number, signature: Uint8Array): Uint8Array {
  return cat(signature.subarray(0, 3), u32(keyId), signature.subarray(7))
}

const SIGNED: readonly NearMiss[] = [
  files('a signed file', ({ signer }) => [signedFileEntry(ONE, signer)]),
  files(
    'the same signed file under a policy without a keyring',
    ({ signer }) => [signedFileEntry(ONE, signer)],
    {
      ...BAD,
      keyring: '',
    },
  ),
  files('a file without a signature', () => [ran(ONE)], BAD),
  files('a file with an empty signature', () => [ran(ONE, 'ima-sig')], BAD),
  files(
    'a file signed by a key that is not trusted',
    ({ stranger }) => [signedFileEntry(ONE, stranger)],
    BAD,
  ),
  files(
    'a file signed by another key under the id of the trusted one',
    ({ signer, stranger }) => [signedBy(ONE, underId(signer.keyId, stranger.sign(text(ONE))))],
    BAD,
  ),
  files(
    'a file with a changed bit in its signature',
    ({ signer }) => [signedBy(ONE, lastBit(signer.sign(text(ONE))))],
    BAD,
  ),
  files(
    'a file with a byte behind its signature',
    ({ signer }) => [signedBy(ONE, cat(signer.sign(text(ONE)), u8(0)))],
    BAD,
  ),
  files(
    'two files, the second with the signature of the first',
    ({ signer }) => [signedFileEntry(ONE, signer), signedBy(OTHER, signer.sign(text(ONE)))],
    BAD,
  ),
  files(
    'a signed file, and other content at its path with the same signature',
    ({ signer }) => {
      const signature = signer.sign(text(ONE))
      return [signedBy(ONE, signature), signedBy(ONE, signature, 'other content')]
    },
    BAD,
  ),
  files(
    'a signed file, and its content at another path with a false signature',
    ({ signer, stranger }) => [
      signedFileEntry(ONE, signer),
      signedBy(OTHER, underId(signer.keyId, stranger.sign(text(ONE))), ONE),
    ],
    BAD,
  ),
  files(
    'a signed file, and the same file with a signature of another key',
    ({ signer, stranger }) => [
      signedFileEntry(ONE, signer),
      signedBy(ONE, underId(signer.keyId, stranger.sign(text('other content'))), 'other content'),
    ],
    BAD,
  ),
  files('the signed file again', ({ signer }) => [signedFileEntry(ONE, signer)]),
]

type Policy = NonNullable<NonNullable<Parameters<typeof measured>[1]>['policy']>

/** A signed file and the key that was added to a keyring before it, or not, under a policy without trusted keys. */
function keyed(sends: string, policy: (digest: string) => Policy, breaks?: string): NearMiss {
  return {
    ...FORMS,
    sends,
    ...(breaks && { breaks }),
    evidence: () => {
      const { signer, one } = signers()
      const key = imaBufEntry('.ima', signer.publicDer)
      const added = sends.includes('without') ? [] : [key]
      return measured([...FILES, ...added, one], {
        listed: FILES,
        policy: policy(toHex(digest('sha256', signer.publicDer))),
      })
    },
  }
}

const listing = (hex: string): Policy => ({ keyrings: { '.ima': [hex] } })
const ignoring = (): Policy => ({
  ima: { ignored_keyrings: ['.ima'], log_hash_alg: 'sha1', dm_policy: null },
})

/** Several times, since a verifier that evaluates in turns may remember lines in one of its threads. */
const TIMES = [1, 2, 3, 4]

const KEYED: readonly NearMiss[] = [
  keyed('a signed file without the listed key that signs it', listing, ROW),
  ...TIMES.map((time) =>
    keyed(`a signed file behind the listed key that signs it, time ${time}`, listing),
  ),
  ...TIMES.map((time) =>
    keyed(`the signed file without the listed key, time ${time}`, listing, ROW),
  ),
  keyed('a signed file behind a key in an ignored keyring', ignoring, ROW),
]

/** The hash of the file is longer than the order of the curve, which then signs its first bits (FIPS 186-5, 6.4.1). */
const LONG_DIGESTS = HASH_ALGOS.map(([hash, number]) =>
  files(`a file with its ${hash}, signed by a key on P-256`, ({ signer }) => {
    const content = text(ONE)
    const sig = derSignature(signEcdsa(scalarOf(LABEL), content, hash))
    const head = [u8(3), u8(2), u8(number), u32(signer.keyId), u16(sig.length)]
    return [imaSigEntry(ONE, digest(hash, content), cat(...head, sig))]
  }),
)

/** Bytes in place of a signature of the trusted key, which a verifier of signatures may also refuse with an error. */
const NO_SIGNATURE: readonly (readonly [what: string, of: (sig: Uint8Array) => Uint8Array])[] = [
  ['zeros', ({ length }) => filled(length)],
  ['bytes that are no DER', (sig) => sig.map((byte) => byte ^ 0xff)],
  ['half a signature', (sig) => sig.subarray(0, sig.length / 2)],
  ['two numbers that are zero', () => derSignature({ r: 0n, s: 0n })],
]

const NOT_SIGNED = NO_SIGNATURE.map(([what, of]) =>
  files(
    `a file with ${what} in place of its signature`,
    ({ signer }) => {
      const signature = signer.sign(text(ONE))
      const sig = of(signature.subarray(HEAD))
      return [signedBy(ONE, cat(signature.subarray(0, HEAD - 2), u16(sig.length), sig))]
    },
    BAD,
  ),
)

export const SIGNED_FILES: NearMissGroup = {
  id: 'signed-files',
  title: 'The verifier accepts a signature for the file that it was made for, by a trusted key',
  rows: [
    ...SIGNED,
    ...NOT_SIGNED,
    ...LONG_DIGESTS,
    ...SIGNATURE_VERSIONS,
    ...KEYED,
    ...CERTIFIED_SIGNERS,
    ...RSA_SIGNED_FILES,
  ],
}
