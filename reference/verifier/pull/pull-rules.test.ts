import { generateKeyPairSync, privateDecrypt } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemRandom } from '../../platform/random.ts'
import { pullRules } from './pull-rules.ts'

const SETTINGS = { max_retries: 2, retry_interval: 2, exponential_backoff: true }

test('nonces are 20 letters and digits, each of which is there in the end', () => {
  const nonces = Array.from({ length: 200 }, () => pullRules.nonce(systemRandom))
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9]{20}$/)
  expect(new Set(nonces).size).toBe(200)
  expect(new Set(nonces.join('')).size).toBe(62)
})

test('bytes from which a character would be likelier than another make none', () => {
  const served = [255, 250, 249, 248]
  const random = { ...systemRandom, bytes: () => Uint8Array.of(served.shift() ?? 0) }
  expect(pullRules.nonce(random)).toBe('A'.repeat(20))
})

test('a mask has a bit for each PCR', () => {
  const pcrs = fc.uniqueArray(fc.nat(23))
  fc.assert(
    fc.property(pcrs, (some) => {
      const mask = Number(pullRules.mask(some))
      const said = Array.from({ length: 24 }, (_, pcr) => pcr).filter((pcr) => (mask >> pcr) & 1)
      expect(said).toEqual([...some].sort((one, other) => one - other))
    }),
  )
  expect([pullRules.mask([]), pullRules.mask([0, 10])]).toEqual(['0x0', '0x401'])
})

test('PCR 16 has to be quoted, whether the mask names it or not', () => {
  expect([pullRules.quotedPcrs([0]), pullRules.quotedPcrs([16])]).toEqual([[0, 16], [16]])
})

test('there are as many tries after the first as the settings say, each later', () => {
  expect([1, 2, 3].map((tries) => pullRules.isTriedAgain(tries, SETTINGS))).toEqual([
    ...[true, true, false],
  ])
  expect([1, 2, 3].map((tries) => pullRules.retryWait(tries, SETTINGS))).toEqual([
    ...[2000, 4000, 8000],
  ])
})

test('without backoff, and where the interval is a second or none, every wait is the same', () => {
  const waits = (change: Partial<typeof SETTINGS>) =>
    [1, 5].map((tries) => pullRules.retryWait(tries, { ...SETTINGS, ...change }))
  expect(waits({ exponential_backoff: false })).toEqual([2000, 2000])
  expect([waits({ retry_interval: 1 }), waits({ retry_interval: 0 })]).toEqual([
    ...[
      [1000, 1000],
      [0, 0],
    ],
  ])
})

test.each([
  [undefined, true],
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/vnd.api+json', true],
  ['text/html', false],
  ['application/jsonp', false],
])('what calls itself %o is read: %o', (type, is) => {
  expect(pullRules.isReadable(type)).toBe(is)
})

test.each([
  ['2.5', '2.6', true, true],
  ['2.5', '2.5', false, false],
  ['2.5', '2.4', true, false],
  ['2.5', '2.4', false, true],
] as const)('from %s to %s, attested %o: %o', (from, to, hasAttested, is) => {
  expect(pullRules.mayChangeVersion({ from, to, hasAttested })).toBe(is)
})

test('quotes of API 1.0 are compressed, and of no other version', () => {
  expect(['1.0', '2.0', '2.5'].map((version) => pullRules.packed(version))).toEqual([
    ...['zlib', 'plain', 'plain'],
  ])
})

test('the V key is opened by the node key, with OAEP and SHA-1', () => {
  const { publicKey, privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const v = Buffer.alloc(32, 3)
  const sent = Buffer.from(pullRules.encryptV(v.toString('base64'), pem), 'base64')
  expect(privateDecrypt({ key, oaepHash: 'sha1' }, sent)).toEqual(v)
})
