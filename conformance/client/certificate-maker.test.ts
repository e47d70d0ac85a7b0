// Under Node 20, toLegacyObject permanently disables TLS in its thread unless TLS is loaded before.
import 'node:tls'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSignedAuthority } from '../../simulator/testing/certificate-authority.ts'
import { type Credential, makeCertificate } from '../../simulator/x509/factory.ts'
import {
  type CertificateKind,
  CLIENT_AUTH,
  RECIPES,
  SERVER_AUTH,
} from '../../simulator/x509/recipes.ts'
import { certificateMaker } from './certificate-maker.ts'
import { ANONYMOUS } from './identity.ts'

const DAY = 86_400_000
const now = Date.now()
const authority = await selfSignedAuthority('CN=The CA', 'P-256', now)
const ca = new X509Certificate(authority.certificate)
const admin = { ...ANONYMOUS, name: 'admin' }

async function made(kind: CertificateKind): Promise<X509Certificate> {
  const recipe = RECIPES[kind]
  if (recipe === undefined) throw new Error(`${kind} is not issued`)
  return parsed(await makeCertificate(recipe, authority, now))
}

/** Returns the certificate after a check that its key belongs to it. */
function parsed({ certificate, key }: Credential): X509Certificate {
  const leaf = new X509Certificate(certificate)
  expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true)
  return leaf
}

test('a second administrator has the usages of the first and another name', async () => {
  const leaf = await made('second')
  expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey), leaf.ca]).toEqual([true, true, false])
  expect([leaf.keyUsage, leaf.subject]).toEqual([[CLIENT_AUTH], 'CN=second administrator'])
  expect(Date.parse(leaf.validFrom)).toBeLessThan(now)
  expect(Date.parse(leaf.validTo)).toBeGreaterThan(now + DAY)
})

test.each([
  ['both-usages', [SERVER_AUTH, CLIENT_AUTH]],
  ['no-usage', undefined],
  ['server-only', [SERVER_AUTH]],
] as const)('%s is issued by the CA and differs only in its usages', async (kind, usages) => {
  const leaf = await made(kind)
  expect([leaf.verify(ca.publicKey), leaf.keyUsage]).toEqual([true, usages])
})

test('an RSA key is signed by the same CA', async () => {
  const leaf = await made('rsa-key')
  expect([leaf.verify(ca.publicKey), leaf.publicKey.asymmetricKeyType]).toEqual([true, 'rsa'])
})

test('without a common name there is another attribute', async () => {
  expect((await made('no-name')).subject).toBe('O=anonymous')
})

test.each([
  ['expired', -30, -1],
  ['not-yet-valid', 1, 30],
] as const)('%s is issued by the CA and outside its validity', async (kind, from, to) => {
  const leaf = await made(kind)
  const seconds = (days: number) => Math.floor((now + days * DAY) / 1000) * 1000
  expect(leaf.verify(ca.publicKey)).toBe(true)
  expect([Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]).toEqual([
    seconds(from),
    seconds(to),
  ])
})

test.each(['self-signed', 'agent-server', 'agent-client'] as const)(
  '%s is self-signed',
  async (kind) => {
    const leaf = await made(kind)
    expect([leaf.issuer, leaf.verify(leaf.publicKey)]).toEqual([leaf.subject, true])
  },
)

test('a namesake has the name and the key identifier of the CA, and another signature', async () => {
  const [leaf, right] = [await made('namesake-authority'), await made('second')]
  expect([leaf.issuer, leaf.verify(ca.publicKey)]).toEqual([ca.subject, false])
  // OpenSSL compares names and key identifiers here, not signatures.
  expect([leaf.checkIssued(ca), right.checkIssued(ca)]).toEqual([true, true])
})

test.each(['other-authority', 'intermediate-missing'] as const)(
  '%s is issued by an unknown issuer',
  async (kind) => {
    const leaf = await made(kind)
    expect([leaf.checkIssued(ca), leaf.verify(ca.publicKey)]).toEqual([false, false])
    expect(leaf.issuer).not.toBe(leaf.subject)
  },
)

test.each(['P-256', 'P-384', 'P-521', 'rsa'] as const)(
  'a CA with a key of %s issues certificates',
  async (key) => {
    const other = await selfSignedAuthority('CN=Other', key, now)
    const leaf = parsed(await makeCertificate({}, other, now))
    expect(leaf.verify(new X509Certificate(other.certificate).publicKey)).toBe(true)
  },
)

test('a common name is not parsed as a distinguished name', async () => {
  const leaf = parsed(await makeCertificate({ commonName: 'a, "b"+O=c' }, authority, now))
  expect(leaf.toLegacyObject().subject).toEqual({ CN: 'a, "b"+O=c' })
})

test('a kind with an existing certificate is not issued', async () => {
  const make = certificateMaker({ ca: authority.certificate, issuer: authority, admin })
  expect([await make('none'), await make('right')]).toEqual([ANONYMOUS, admin])
  expect((await make('authority')).certificate?.cert).toBe(authority.certificate)
})

test.each(Object.keys(RECIPES) as CertificateKind[])(
  'without the key of the CA %s is issued too, or does not apply',
  async (kind) => {
    const make = certificateMaker({ ca: authority.certificate, admin })
    const needless = new Set(['itself', 'other', 'root-sent', 'other-sent', 'namesake'])
    const { issuer = 'trusted' }: { issuer?: string } = RECIPES[kind] ?? {}
    if (kind === 'right' || kind === 'none' || needless.has(issuer)) await make(kind)
    else await expect(make(kind)).rejects.toThrow('the target file has no tls.issuer')
  },
)
