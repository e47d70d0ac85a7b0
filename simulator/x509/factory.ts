import 'reflect-metadata'
import { createPrivateKey, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Recipe } from './recipes.ts'
import { CLIENT_AUTH } from './recipes.ts'

/** A certificate and its private key, both PEM. */
export interface Credential {
  readonly certificate: string
  readonly key: string
}

/** The CA of the target: its certificate, and its key if the target file has it. */
interface TrustedAuthority {
  readonly certificate: string
  readonly key?: string
}

interface Signer {
  readonly name: x509.Name
  /** Hexadecimal; undefined if the signer's certificate has none. */
  readonly keyId: string | undefined
  readonly key: webcrypto.CryptoKey
  /** PEM of its own certificate, if the client sends it too. */
  readonly sent?: string
}

const DAY = 86_400_000
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
} as const
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}

/**
 * Issues a certificate by its recipe at the time `now`; returns the leaf, followed by what a client sends with it.
 *
 * @throws {TypeError} if the recipe requires the CA's signature and the CA's key is unknown
 */
export async function makeCertificate(
  {
    issuer = 'trusted',
    usages = [CLIENT_AUTH],
    days = [-1, 30],
    key,
    commonName = 'client',
    addresses = [],
  }: Recipe,
  trusted: TrustedAuthority,
  now: number,
): Promise<Credential> {
  const keys = await makeKeys(key)
  const subject = nameOf(commonName)
  const own = { name: subject, keyId: undefined, key: keys.privateKey }
  const signer: Signer = issuer === 'itself' ? own : await SIGNERS[issuer](trusted, now)
  const extensions = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    ...(usages.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...usages])]),
    ...namedBy(addresses),
  ]
  const certificate = await sign({ subject, keys, signer, extensions, days, now })
  const sent = signer.sent === undefined ? '' : `\n${signer.sent}`
  return { certificate: certificate.toString('pem') + sent, key: await pemOf(keys.privateKey) }
}

function namedBy(addresses: readonly string[]): readonly x509.Extension[] {
  if (addresses.length === 0) return []
  const names = addresses.map((value) => ({ type: 'ip', value }) as const)
  return [new x509.SubjectAlternativeNameExtension(names)]
}

/** Returns a self-signed CA at the time `now`, valid for 30 days. */
export async function makeAuthority(commonName: string, now: number): Promise<Credential> {
  const keys = await makeKeys()
  const subject = nameOf(commonName)
  const extensions = [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
  ]
  const signer = { name: subject, keyId: undefined, key: keys.privateKey }
  const certificate = await sign({ subject, keys, signer, extensions, days: [-1, 30], now })
  return { certificate: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

type SignerKind = Exclude<NonNullable<Recipe['issuer']>, 'itself'>

const SIGNERS: Readonly<
  Record<SignerKind, (trusted: TrustedAuthority, now: number) => Promise<Signer>>
> = {
  trusted: trustedSigner,
  intermediate: intermediateSigner,
  'client-sent': clientSigner,
  other: async () => ({ name: nameOf('Another CA'), keyId: undefined, key: await freshKey() }),
  'other-sent': async (_, now) => {
    const root = { name: nameOf('Another CA'), keyId: undefined, key: await freshKey() }
    return subordinateSigner(root, 'A CA below another CA', now)
  },
  'root-sent': async (_, now) => {
    const { certificate, key } = await makeAuthority('Another CA', now)
    return { ...namesOf(certificate), key: await importKey(key), sent: certificate }
  },
  namesake: async ({ certificate }) => ({ ...namesOf(certificate), key: await freshKey() }),
}

async function trustedSigner({ certificate, key }: TrustedAuthority): Promise<Signer> {
  if (key === undefined)
    throw new TypeError('the CA has no key to sign with; set tls.issuer in the target file')
  return { ...namesOf(certificate), key: await importKey(key) }
}

async function intermediateSigner(trusted: TrustedAuthority, now: number): Promise<Signer> {
  const signer = await trustedSigner(trusted)
  const { sent: _, ...unsent } = await subordinateSigner(signer, 'An intermediate CA', now)
  return unsent
}

/** A client with a certificate of the CA, which is no CA itself. */
async function clientSigner(trusted: TrustedAuthority, now: number): Promise<Signer> {
  const { certificate, key } = await makeCertificate({}, trusted, now)
  return { name: nameOf('client'), keyId: undefined, key: await importKey(key), sent: certificate }
}

async function subordinateSigner(signer: Signer, name: string, now: number): Promise<Signer> {
  const keys = await makeKeys()
  const subject = nameOf(name)
  const keyId = await x509.SubjectKeyIdentifierExtension.create(keys.publicKey)
  const authority = new x509.BasicConstraintsExtension(true, undefined, true)
  const certificate = await sign({
    ...{ subject, keys, signer, now, days: [-1, 30] },
    extensions: [authority, keyId],
  })
  const sent = certificate.toString('pem')
  return { name: subject, keyId: keyId.keyId, key: keys.privateKey, sent }
}

interface Draft {
  readonly subject: x509.Name
  readonly keys: webcrypto.CryptoKeyPair
  readonly signer: Signer
  readonly extensions: readonly x509.Extension[]
  readonly days: readonly [from: number, to: number]
  readonly now: number
}

function sign(draft: Draft): Promise<x509.X509Certificate> {
  const { subject, keys, signer, extensions, days, now } = draft
  const [from, to] = days
  const { keyId } = signer
  const above = keyId === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(keyId)]
  return x509.X509CertificateGenerator.create({
    subject,
    issuer: signer.name,
    notBefore: new Date(now + from * DAY),
    notAfter: new Date(now + to * DAY),
    publicKey: keys.publicKey,
    signingKey: signer.key,
    signingAlgorithm: signer.key.algorithm.name === EC.name ? EC : RSA,
    extensions: [...extensions, ...above],
  })
}

/** Builds a name from its parts, since commas and quotation marks would change the meaning of a text form. */
function nameOf(commonName: string): x509.Name {
  const attribute = commonName === '' ? { O: 'anonymous' } : { CN: commonName }
  const [[type, text] = ['O', '']] = Object.entries(attribute)
  return new x509.Name([{ [type]: [{ utf8String: text }] }])
}

function namesOf(pem: string): Pick<Signer, 'name' | 'keyId'> {
  const certificate = new x509.X509Certificate(pem)
  const keyId = certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId
  return { name: certificate.subjectName, keyId }
}

function makeKeys(kind?: 'rsa'): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(kind === 'rsa' ? RSA : EC, true, ['sign', 'verify'])
}

async function freshKey(): Promise<webcrypto.CryptoKey> {
  return (await makeKeys()).privateKey
}

/** A private key in any PEM form: RSA, or EC on one of the NIST curves. */
function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem)
  const bytes = key.export({ type: 'pkcs8', format: 'der' })
  const namedCurve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? '']
  const algorithm = namedCurve === undefined ? RSA : { ...EC, namedCurve }
  return webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}
