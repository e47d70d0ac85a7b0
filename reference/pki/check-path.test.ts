import 'reflect-metadata'
import { X509Certificate } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/x509'
import { expect, test, vi } from 'vitest'
import { issue } from '../dev/testing/certificates/issue-certificate.ts'
import { NOON } from '../dev/testing/settable-clock.ts'
import { subjectPublicKey } from '../evidence/ek-certificate/subject-key.ts'
import { recorded } from '../tpm/testing/recorded-boot.ts'
import { checkPath, pathChecks } from './check-path.ts'
import { type PathCertificate, pathCertificateOf, readPathCertificate } from './path-certificate.ts'

const EK = '2.23.133.8.1'
const NO_ISSUER = 'has no issuer in the certificate store'

function problemOf(
  certificate: PathCertificate,
  store: readonly PathCertificate[],
  now = NOON,
): string | undefined {
  return checkPath({ certificate, store, now, usage: EK, checks: pathChecks })
}

const root = await issue({ name: 'root' })
const maker = await issue({ name: 'maker', by: root })
const end = { ca: false, usages: [EK] }
const certificate = await issue({ name: 'ek', by: maker, ...end })

test('a certificate by an authority of the store is trusted', () => {
  expect(problemOf(certificate, [root, maker])).toBeUndefined()
  expect(problemOf(certificate, [maker, root])).toBeUndefined()
})

test('an authority of the store without its own issuer is trusted: it was put there', () => {
  expect(problemOf(certificate, [maker])).toBeUndefined()
})

test('an authority that the store does not hold is not trusted', () => {
  expect(problemOf(certificate, [root])).toBe(NO_ISSUER)
  expect(problemOf(certificate, [])).toBe(NO_ISSUER)
})

test('a self-signed certificate is not trusted', async () => {
  expect(problemOf(await issue({ name: 'ek', ...end }), [root, maker])).toBe(NO_ISSUER)
})

test('a certificate that is in the store itself is not its own maker', async () => {
  const alone = await issue({ name: 'ek', ...end })
  expect(problemOf(alone, [root, alone])).toMatch(/./)
})

test('the name of a maker is not its signature', async () => {
  const impostor = await issue({ name: 'maker' })
  const forged = await issue({ name: 'ek', by: impostor, ...end })
  expect(problemOf(forged, [root, maker])).toBe('is not signed by the authority that it names')
})

test('the authorities of a store are verified once, and each certificate that is checked with them', async () => {
  const again = await issue({ name: 'another ek', by: maker, ...end })
  const forged = await issue({ name: 'ek', by: await issue({ name: 'maker' }), ...end })
  expect(problemOf(certificate, [root, maker])).toBeUndefined()
  const [ofMaker, ofEnd] = [maker, again].map((one) => vi.spyOn(one.certificate, 'verify'))
  expect(problemOf(again, [root, maker])).toBeUndefined()
  expect(problemOf(forged, [root, maker])).toMatch('not signed')
  expect([ofMaker, ofEnd].map((spy) => spy?.mock.calls.length)).toEqual([0, 1])
})

test('of two authorities with one name the one that signed is found', async () => {
  const namesake = await issue({ name: 'maker', by: root })
  expect(problemOf(certificate, [namesake, root, maker])).toBeUndefined()
})

test.each([
  ['before its time', { from: 1, to: 2 }],
  ['after its time', { from: -2, to: -1 }],
])('a certificate %s is refused', async (_, dates) => {
  const one = await issue({ name: 'ek', by: maker, ...end, ...dates })
  expect(problemOf(one, [root, maker])).toMatch(/is not valid at this time/)
})

test('time is the time given', () => {
  expect(problemOf(certificate, [root, maker], NOON + 2 * 86_400_000)).toMatch(/not valid/)
})

test('an authority after its time vouches for nothing', async () => {
  const old = await issue({ name: 'old', by: root, from: -3, to: -2 })
  const one = await issue({ name: 'ek', by: old, ...end })
  expect(problemOf(one, [root, old])).toMatch(/an authority above it is not/)
})

test('an end-entity certificate is no authority', async () => {
  const ordinary = await issue({ name: 'ordinary', by: root, ca: false })
  const one = await issue({ name: 'ek', by: ordinary, ...end })
  expect(problemOf(one, [root, ordinary])).toMatch(/not one of an authority/)
})

test('an authority that may not sign certificates is refused', async () => {
  const tls = KeyUsageFlags.digitalSignature
  const signer = await issue({ name: 'signer', by: root, keyUsages: tls })
  const one = await issue({ name: 'ek', by: signer, ...end })
  expect(problemOf(one, [root, signer])).toBe(NO_ISSUER)
})

test('a path is as long as each authority allows', async () => {
  const narrow = await issue({ name: 'narrow', pathLength: 0 })
  const below = await issue({ name: 'below', by: narrow })
  const direct = await issue({ name: 'ek', by: narrow, ...end })
  const one = await issue({ name: 'ek', by: below, ...end })
  expect(problemOf(direct, [narrow])).toBeUndefined()
  expect(problemOf(one, [narrow, below])).toMatch(/more authorities above it/)
})

test('an authority gives the names that it may, and no others', async () => {
  const narrow = await issue({ name: 'narrow', by: root, permitted: 'CN=ek' })
  const inside = await issue({ name: 'ek', by: narrow, ...end })
  const outside = await issue({ name: 'other', by: narrow, ...end })
  expect(problemOf(inside, [root, narrow])).toBeUndefined()
  expect(problemOf(outside, [root, narrow])).toBe(
    'has a name that an authority above it may not give',
  )
})

test('the name constraints of an authority hold for every certificate below it', async () => {
  const narrow = await issue({ name: 'narrow', by: root, permitted: 'CN=ek' })
  const below = await issue({ name: 'below', by: narrow })
  const renewed = await issue({ name: 'narrow', by: narrow })
  const [one, other] = [below, renewed].map((by) => issue({ name: 'ek', by, ...end }))
  expect(problemOf((await one) ?? root, [root, narrow, below])).toMatch(/may not give/)
  expect(problemOf((await other) ?? root, [root, narrow, renewed])).toBeUndefined()
})

test('an unknown critical extension is not passed over', async () => {
  const one = await issue({ name: 'ek', by: maker, ...end, critical: '1.3.6.1.4.1.99999.1' })
  expect(problemOf(one, [root, maker])).toContain('critical extension 1.3.6.1.4.1.99999.1')
})

test('a certificate for TLS clients vouches for no endorsement key', async () => {
  const one = await issue({ name: 'ek', by: maker, ca: false, usages: ['1.3.6.1.5.5.7.3.2'] })
  expect(problemOf(one, [root, maker])).toBe(`is for another purpose than ${EK}`)
})

test('a certificate without extended key usage may be for any purpose', async () => {
  const one = await issue({ name: 'ek', by: maker, ca: false })
  expect(problemOf(one, [root, maker])).toBeUndefined()
})

test('two authorities that issued each other end no path, and the search ends', async () => {
  const one = await issue({ name: 'one' })
  const two = await issue({ name: 'two', by: one })
  const turned = await issue({ name: 'one', by: two })
  const leaf = await issue({ name: 'ek', by: turned, ...end })
  expect(problemOf(leaf, [two, turned])).toBe(NO_ISSUER)
})

test('a path of more authorities than any maker has is not followed', async () => {
  const chain = [await issue({ name: '0' })]
  for (let at = 1; at < 12; at++)
    chain.push(await issue({ name: String(at), by: chain[at - 1] ?? root }))
  const leaf = await issue({ name: 'ek', by: chain[11] ?? root, ...end })
  expect(problemOf(leaf, chain)).toBe(NO_ISSUER)
  expect(problemOf(leaf, chain.slice(4))).toBeUndefined()
})

test.each(['1c00002', '1c00016'])(
  'the certificate of the recorded TPM at %s has its path',
  (nv) => {
    const pem = (name: string) =>
      readPathCertificate(new X509Certificate(recorded(`swtpm-localca-${name}.pem`)).raw)
    const store = [pem('issuercert'), pem('rootca-cert')]
    const now = Date.UTC(2027, 0, 1)
    const ekcert = readPathCertificate(recorded(`ekcert_${nv}.der`))
    expect(problemOf(ekcert, store, now)).toBeUndefined()
    expect(problemOf(ekcert, store.slice(1), now)).toBe(NO_ISSUER)
  },
)

test('a certificate that OpenSSL has read is not read by it again, nor is its key', () => {
  const known = new X509Certificate(recorded('ekcert_1c00002.der'))
  const { certificate: kept, read } = pathCertificateOf(known)
  expect(kept).toBe(known)
  expect(subjectPublicKey(read.key).equals(known.publicKey)).toBe(true)
  expect(subjectPublicKey(read.key)).toBe(subjectPublicKey(read.key))
})
