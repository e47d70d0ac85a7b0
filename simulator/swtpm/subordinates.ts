import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { fromHex, text } from '../tpm/write.ts'
import { der, sequence } from '../x509/der.ts'

export const EC_P256 = { name: 'ECDSA', namedCurve: 'P-256' }
export const ECDSA_SHA256 = { name: 'ECDSA', hash: 'SHA-256' }
const RSA = 'RSASSA-PKCS1-v1_5'

/** A certificate issuer. */
export interface Signer {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
}

/** tcg-at-tpmManufacturer: of another maker, and of this one, which is IBM's number for swtpm. */
const ANOTHER_MAKER = '2.23.133.2.1=id:FFFFF1D0'
const THIS_MAKER = '2.23.133.2.1=id:00001014'
const MODEL = '2.23.133.2.2=swtpm'
const OTHER_MODEL = '2.23.133.2.2=other'
/** 1.3.6.1.4.1.102431, the contents of its DER. */
const NUMBER = '2b0601040186a01f'
const NAME_CONSTRAINTS = '2.5.29.30'
const UNKNOWN_EXTENSION = '1.3.6.1.4.1.99999.1'
const HOUR_MS = 3_600_000

/**
 * A name in a name constraint: a directory name, a host, a mailbox, the host of a URI, an IPv4 address and its mask, or an object
 * identifier (DER, in hexadecimal).
 */
type Tree =
  | { readonly dn: string }
  | { readonly dns: string }
  | { readonly email: string }
  | { readonly uri: string }
  | { readonly ip: string }
  | { readonly rid: string }

/** A certificate of the store below the manufacturer's. By default it is a CA's, valid, signed by the manufacturer. */
interface Below {
  /** Its name; by default the manufacturer's, followed by its key in the list. */
  readonly subject?: string
  /** Its issuer, an earlier one of the list. */
  readonly by?: string
  /** False: not a CA. `absent`: without basic constraints and key usage. `signs-data`: its key is not for certificates. */
  readonly ca?: false | 'absent' | 'signs-data'
  readonly pathLength?: number
  readonly permitted?: readonly Tree[]
  readonly excluded?: readonly Tree[]
  /** Has an unknown critical extension. */
  readonly critical?: true
  /** Hours from now at which it becomes valid, and at which it ends. */
  readonly hours?: readonly [from: number, to: number]
  /** Signed with a key that is not its issuer's. */
  readonly forged?: true
  /** Has the name and the key of an earlier one. */
  readonly renews?: string
  /** Has an RSA key. */
  readonly rsa?: true
}

/** The certificates below a manufacturer's, in the order of the store. */
const BELOW = {
  /** May issue certificates for keys only. */
  last: { pathLength: 0 },
  'below-last': { by: 'last' },
  /** May issue CAs that issue certificates for keys only. */
  'last-but-one': { pathLength: 1 },
  'at-the-end': { by: 'last-but-one' },
  named: { permitted: [{ dn: ANOTHER_MAKER }] },
  /** Its own name is one that its issuer permits. */
  'below-named': { by: 'named', subject: ANOTHER_MAKER },
  either: { permitted: [{ dn: ANOTHER_MAKER }, { dn: THIS_MAKER }] },
  /** Its name is not among those that its issuer permits. */
  'below-either': { by: 'either' },
  models: {
    permitted: [{ dn: `${THIS_MAKER}, ${OTHER_MODEL}` }, { dn: `${MODEL}, ${THIS_MAKER}` }],
  },
  excluding: { excluded: [{ dn: ANOTHER_MAKER }, { dn: THIS_MAKER }] },
  'excluding-in-capitals': { excluded: [{ dn: THIS_MAKER.toUpperCase() }] },
  hosts: {
    permitted: [
      { dns: 'example.com' },
      { email: 'ek@example.com' },
      { email: 'example.net' },
      { ip: '192.0.2.0/255.255.255.0' },
    ],
  },
  'excluding-hosts': {
    excluded: [
      { dns: 'secret.example.com' },
      { uri: 'secret.example.com' },
      { uri: '.hidden.example.com' },
      { email: 'secret@example.com' },
      { email: 'hidden.example.org' },
      { rid: NUMBER },
      { ip: '192.0.2.128/255.255.255.128' },
    ],
  },
  numbers: { permitted: [{ rid: NUMBER }] },
  rsa: { rsa: true },
  ordinary: { ca: false },
  'below-ordinary': { by: 'ordinary' },
  'signs-data': { ca: 'signs-data' },
  unconstrained: { ca: 'absent' },
  critical: { critical: true },
  'below-critical': { by: 'critical' },
  expired: { hours: [-720, -1] },
  'below-expired': { by: 'expired' },
  /** From tomorrow: the harness may run for hours. */
  'not-yet-valid': { hours: [24, 720] },
  forged: { forged: true },
  'before-renewal': { hours: [-720, -1] },
  renewed: { renews: 'before-renewal' },
} as const satisfies Readonly<Record<string, Below>>

export type SubordinateName = keyof typeof BELOW

type Subordinate = Signer & { readonly certificate: X509Certificate }

const TAGS = { dn: 0xa4, dns: 0x82, email: 0x81, uri: 0x86, ip: 0x87, rid: 0x88 } as const

function treeOf(tree: Tree): Uint8Array {
  if ('dn' in tree) return der(TAGS.dn, new Uint8Array(new Name(tree.dn).toArrayBuffer()))
  if ('ip' in tree) return der(TAGS.ip, Uint8Array.from(tree.ip.split(/[./]/), Number))
  if ('rid' in tree) return der(TAGS.rid, fromHex(tree.rid))
  if ('uri' in tree) return der(TAGS.uri, text(tree.uri))
  return 'dns' in tree ? der(TAGS.dns, text(tree.dns)) : der(TAGS.email, text(tree.email))
}

/** NameConstraints (RFC 5280, 4.2.1.10); none without names. */
function constraintsOn({ permitted = [], excluded = [] }: Below): readonly Extension[] {
  const trees = (tag: number, names: readonly Tree[]) =>
    names.length === 0 ? [] : [der(tag, ...names.map((name) => sequence(treeOf(name))))]
  const parts = [...trees(0xa0, permitted), ...trees(0xa1, excluded)]
  return parts.length === 0 ? [] : [new Extension(NAME_CONSTRAINTS, true, sequence(...parts))]
}

function extensionsOf(below: Below): readonly Extension[] {
  const { ca, pathLength, critical } = below
  const usage = ca === 'signs-data' ? KeyUsageFlags.digitalSignature : KeyUsageFlags.keyCertSign
  return [
    ...(ca === 'absent' ? [] : [new BasicConstraintsExtension(ca !== false, pathLength, true)]),
    ...(ca === undefined || ca === 'signs-data' ? [new KeyUsagesExtension(usage, true)] : []),
    ...constraintsOn(below),
    ...(critical ? [new Extension(UNKNOWN_EXTENSION, true, Uint8Array.of(5, 0))] : []),
  ]
}

interface Dates {
  readonly notBefore: Date
  readonly notAfter: Date
}

export const freshKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(EC_P256, false, ['sign', 'verify'])

const freshRsaKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(
    {
      ...{ name: RSA, hash: 'SHA-256' },
      ...{ modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
    },
    true,
    ['sign', 'verify'],
  )

/** A private key for signatures over SHA-1. */
export async function overSha1(key: webcrypto.CryptoKey): Promise<webcrypto.CryptoKey> {
  // webcrypto ties an RSA key to one hash, and an ECDSA key to none.
  if (key.algorithm.name !== RSA) return key
  const { subtle } = webcrypto
  const inner = await subtle.exportKey('pkcs8', key)
  return subtle.importKey('pkcs8', inner, { name: RSA, hash: 'SHA-1' }, false, ['sign'])
}

/** Creates all of them, each with a fresh key. */
export async function makeSubordinates(
  maker: Signer,
  { now, ...dates }: Dates & { readonly now: Date },
): Promise<Readonly<Record<SubordinateName, Subordinate>>> {
  const made = new Map<string, Subordinate>()
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)
  for (const [key, below] of Object.entries<Below>(BELOW)) {
    const by = made.get(below.by ?? '') ?? maker
    const { name, keys } = made.get(below.renews ?? '') ?? {
      ...{
        name: below.subject ?? `${maker.name} ${key}`,
        keys: await (below.rsa ? freshRsaKeys() : freshKeys()),
      },
    }
    const [from, to] = below.hours ?? []
    const signer = below.forged ? await freshKeys() : by.keys
    const certificate = await X509CertificateGenerator.create({
      ...{ issuer: by.name, subject: name, ...dates },
      ...(from === undefined ? {} : { notBefore: at(from) }),
      ...(to === undefined ? {} : { notAfter: at(to) }),
      ...{ publicKey: keys.publicKey, signingKey: signer.privateKey },
      signingAlgorithm: ECDSA_SHA256,
      extensions: [
        ...extensionsOf(below),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        await AuthorityKeyIdentifierExtension.create(by.keys.publicKey),
      ],
    })
    made.set(key, { name, keys, certificate })
  }
  return Object.fromEntries(made) as Record<SubordinateName, Subordinate>
}
