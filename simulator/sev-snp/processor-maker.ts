import { rsaKeyOf, stretch } from '../soft/keys.ts'
import { signPss } from '../soft/pss.ts'
import { digest } from '../tpm/hash.ts'
import { fromHex, text, toHex, u8 } from '../tpm/write.ts'
import { bits, boolean, der, integer, octets, oid, sequence, set, utf8 } from '../x509/der.ts'

/** The fields of a VCEK certificate that follow from the chip and its firmware. */
export interface VcekFields {
  /** SubjectPublicKeyInfo (DER). */
  readonly spki: Uint8Array
  /** Null for a certificate that names no chip. */
  readonly chipId: Uint8Array | null
  /** Security versions of boot loader, TEE, SNP and microcode. */
  readonly tcb: readonly [number, number, number, number]
  /** UTCTime of the beginning and the end. */
  readonly dates?: readonly [string, string]
}

/** A maker of processors with SEV-SNP: its root (ARK) and the key that signs VCEK certificates (ASK). */
export interface ProcessorMaker {
  /** ASK and ARK, DER. */
  readonly certificates: readonly Uint8Array[]
  /** Issues a VCEK certificate (DER). */
  certify(fields: VcekFields): Uint8Array
}

/** 1.3.6.1.4.1.3704.1: AMD's extensions (AMD 57230, "VCEK Certificate"). */
const AMD = '2b060104019c7801'
const SHA384 = sequence(oid('608648016503040202'))
const SALT = 48
const PSS = sequence(
  oid('2a864886f70d01010a'),
  sequence(
    der(0xa0, SHA384),
    der(0xa1, sequence(oid('2a864886f70d010108'), SHA384)),
    der(0xa2, integer(BigInt(SALT))),
  ),
)
const LONG = ['200101000000Z', '491231235959Z'] as const
const KEY_CERT_SIGN = bits(u8(0x04), 2)

interface Body {
  readonly issuer: string
  readonly subject: string
  readonly spki: Uint8Array
  readonly extensions: readonly Uint8Array[]
  readonly dates?: readonly [string, string]
}

/** The maker of that name whose keys follow from a label. They are public: only a deployment under test may trust it. */
export function processorMaker(label: string, name = 'Assay'): ProcessorMaker {
  const [root, intermediate] = [`ARK-${name}`, `SEV-${name}`]
  const ca = (subject: string, pathLength: readonly Uint8Array[]) => ({
    ...{ issuer: root, subject, spki: spkiOf(`${label} ${subject}`) },
    extensions: [
      extension('551d13', sequence(boolean(true), ...pathLength), true),
      extension('551d0f', KEY_CERT_SIGN, true),
    ],
  })
  const key = (subject: string) => `${label} ${subject}`
  return {
    get certificates() {
      return [ca(intermediate, [integer(0n)]), ca(root, [])].map((body) => signed(body, key(root)))
    },
    certify({ spki, chipId, tcb, dates = LONG }) {
      const extensions = amdExtensions(chipId, tcb)
      const body = { issuer: intermediate, subject: 'SEV-VCEK', spki, extensions, dates }
      return signed(body, key(intermediate))
    },
  }
}

function spkiOf(label: string): Uint8Array {
  const jwk = rsaKeyOf(label).export({ format: 'jwk' })
  const modulus = Buffer.from(jwk.n ?? '', 'base64url').toString('hex')
  const key = sequence(integer(BigInt(`0x${modulus}`)), integer(65537n))
  return sequence(sequence(oid('2a864886f70d010101'), fromHex('0500')), bits(key))
}

function signed(
  { issuer, subject, spki, extensions, dates = LONG }: Body,
  key: string,
): Uint8Array {
  const body = sequence(
    der(0xa0, integer(2n)),
    integer(BigInt(`0x01${toHex(digest('sha256', spki)).slice(0, 30)}`)),
    PSS,
    nameOf(issuer),
    sequence(...dates.map((date) => der(0x17, text(date)))),
    nameOf(subject),
    spki,
    der(0xa3, sequence(...extensions)),
  )
  const salt = stretch(`salt ${toHex(digest('sha256', body))}`, SALT)
  return sequence(body, PSS, bits(signPss(rsaKeyOf(key), body, salt, 'sha384')))
}

function nameOf(common: string): Uint8Array {
  const parts = [
    sequence(oid('55040a'), utf8('Assay Processors')),
    sequence(oid('550403'), utf8(common)),
  ]
  return sequence(...parts.map((part) => set(part)))
}

function extension(id: string, value: Uint8Array, critical = false): Uint8Array {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value))
}

function amdExtensions(chipId: Uint8Array | null, tcb: VcekFields['tcb']): readonly Uint8Array[] {
  const [bootLoader, tee, snp, microcode] = tcb
  const versions = [bootLoader, tee, snp, 0, 0, 0, 0, microcode]
  return [
    extension(`${AMD}01`, integer(0n)),
    extension(`${AMD}02`, der(0x16, text('Milan-B0'))),
    ...versions.map((version, at) =>
      extension(`${AMD}03${toHex(u8(at + 1))}`, integer(BigInt(version))),
    ),
    ...(chipId === null ? [] : [extension(`${AMD}04`, chipId)]),
  ]
}
