import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { p384KeyOf } from '../sev-snp/p384.ts'
import { MAKER, makeSnpEvidence } from '../sev-snp/snp-evidence.ts'
import { SNP_FAULTS } from '../sev-snp/snp-faults.ts'
import { presentReports } from './sev-snp.ts'

const guest = { nonce: new Uint8Array(32), ...p384KeyOf('guest') }

test('the file of reports equals the generated one', () => {
  const file = new URL('../../fixtures/sev-snp/reports.json', import.meta.url)
  expect(readFileSync(file, 'utf8') === presentReports()).toBe(true)
})

test('OpenSSL verifies the certificates of the maker, and the one of a report', () => {
  const [ask, ark] = MAKER.certificates.map((each) => new X509Certificate(each))
  const vcek = new X509Certificate(makeSnpEvidence(guest).vcek)
  expect(ark && [ark, ask].map((each) => each?.verify(ark.publicKey))).toEqual([true, true])
  expect([ask && vcek.verify(ask.publicKey), ask && vcek.checkIssued(ask)]).toEqual([true, true])
  expect(vcek.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'secp384r1' })
})

test('a report has 1,184 bytes', () => {
  expect(makeSnpEvidence(guest).report).toHaveLength(1184)
})

test.each(SNP_FAULTS)('$name differs from the right evidence', ({ recipe }) => {
  expect(makeSnpEvidence(guest, recipe)).not.toEqual(makeSnpEvidence(guest))
})

test('there are 20 faults at least, each with a name of its own', () => {
  const names = new Set(SNP_FAULTS.map(({ name }) => name))
  expect(names.size).toBe(SNP_FAULTS.length)
  expect(names.size).toBeGreaterThanOrEqual(20)
})
