import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BASELINES } from './baselines.ts'
import { makersPem, processorMakerPem } from './makers.ts'

const file = fileURLToPath(new URL('../../../fixtures/makers/e5-registration.pem', import.meta.url))
const makers = makersPem()
  .split(/(?<=-----END CERTIFICATE-----\n)/)
  .map((pem) => new X509Certificate(pem))

test('the file of makers equals the generated one', () => {
  expect(readFileSync(file, 'utf8') === makersPem()).toBe(true)
})

test('the file of the maker of processors equals the generated one', () => {
  const written = new URL('../../../fixtures/makers/sev-snp.pem', import.meta.url)
  expect(readFileSync(written, 'utf8') === processorMakerPem()).toBe(true)
})

test('each maker is a CA', () => {
  expect(makers.map(({ ca }) => ca)).toEqual([true, true, true])
})

test.each(Object.entries(BASELINES))(
  'the EK certificate of %s is issued by one of them',
  (_, baseline) => {
    const certificate = new X509Certificate(Buffer.from(String(baseline['ekcert']), 'base64'))
    expect(makers.filter((maker) => certificate.verify(maker.publicKey))).toHaveLength(1)
  },
)
