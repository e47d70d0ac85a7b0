import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import { reportChecks } from '../../evidence/sev-snp/report-checks.ts'
import { PROCESSOR_MAKER, REPORTS } from '../../evidence/testing/snp-reports.ts'
import { evaluateTee, loadTeeSettings } from './evaluate-tee.ts'

const { guest, usual } = REPORTS
const settings = { tee_cert_store: PROCESSOR_MAKER, tee_allow_debug: false }
const rules = { ...loadTeeSettings(settings), reportChecks }
const urlSafe = (text: string) => Buffer.from(text, 'base64').toString('base64url')

/** A refused request is not valid either. */
function isValid(report: Uint8Array, vcek: Uint8Array): boolean {
  const evidence = { 'snp-report': toBase64(report), 'snp-vcek': toBase64(vcek) }
  const data = {
    nonce: guest.nonce,
    'tee-pubkey-x-b64': urlSafe(guest.x),
    'tee-pubkey-y-b64': urlSafe(guest.y),
    'tee-evidence': { tee: 'snp', evidence },
  }
  try {
    return evaluateTee(data, rules, Date.UTC(2026, 0)).valid
  } catch (error) {
    if (error instanceof ApiError && error.code === 'malformed_request') return false
    throw error
  }
}

const [report, vcek] = [fromBase64(usual.report), fromBase64(usual.vcek)]

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)))
}

test('the report and its certificate are valid as they are', () => {
  expect(isValid(report, vcek)).toBe(true)
})

test('with any one bit changed the report is not valid', () => {
  fc.assert(
    fc.property(fc.nat({ max: 8 * report.length - 1 }), (bit) => {
      expect(isValid(flipped(report, bit), vcek)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('with any one bit of the certificate changed the report is not valid', () => {
  fc.assert(
    fc.property(fc.nat({ max: 8 * vcek.length - 1 }), (bit) => {
      expect(isValid(report, flipped(vcek, bit))).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('any bytes in place of either end in a verdict or a refusal', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 1400 })
  fc.assert(
    fc.property(bytes, (other) => {
      expect([isValid(other, vcek), isValid(report, other)]).toEqual([false, false])
    }),
  )
})
