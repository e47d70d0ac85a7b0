import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WireError } from '../../bytes/wire-error.ts'
import { usualReport } from '../testing/snp-reports.ts'
import { presentClaims } from './claims.ts'
import { parseReport } from './report.ts'
import { reportedTcb } from './tcb.ts'

const SIZE = 1184
const SIGNED = 672
/** Offsets of reserved bytes, and of those above R and S. */
const ZEROS = [0x4c, 0x18b, 0x19f, 0x1eb, 0x1ef, 0x208, 0x29f, 0x2a0 + 48, 0x2e8 + 48, 0x330, 0x49f]

function withByte(at: number, value: number): Uint8Array {
  return usualReport().with(at, value)
}

function problemOf(bytes: Uint8Array): string {
  try {
    parseReport(bytes)
    return 'none'
  } catch (error) {
    return error instanceof WireError ? error.message : String(error)
  }
}

test('the members of a report are at their offsets', () => {
  const bytes = usualReport()
  const report = parseReport(bytes)
  const places = {
    REPORT_DATA: 0x50,
    MEASUREMENT: 0x90,
    CHIP_ID: 0x1a0,
    LAUNCH_TCB: 0x1f0,
  } as const
  for (const [name, at] of Object.entries(places)) {
    const member = report[name as keyof typeof places]
    expect(member).toEqual(bytes.subarray(at, at + member.length))
  }
  expect(report.signed).toEqual(bytes.subarray(0, SIGNED))
  expect(report.signature).toHaveLength(96)
  expect(report.signature[47]).toBe(bytes[0x2a0])
})

test.each([
  [2, 'none'],
  [5, 'none'],
  [1, 'ATTESTATION_REPORT.VERSION at byte 0: is 1; versions 2 to 5 can be read'],
  [6, 'ATTESTATION_REPORT.VERSION at byte 0: is 6; versions 2 to 5 can be read'],
])('of version %i the problem is %s', (version, problem) => {
  expect(problemOf(withByte(0, version))).toBe(problem)
})

test.each(ZEROS)('byte %i must be zero', (at) => {
  expect(problemOf(withByte(at, 1))).toMatch(new RegExp(`at byte ${at}: expected padding of zeros`))
})

test('a report of any other length is refused with a place, and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.nat({ max: SIZE + 64 }), (length) => {
      const bytes = new Uint8Array(length)
      bytes.set(usualReport().subarray(0, length))
      const problem = problemOf(bytes)
      expect(problem === 'none').toBe(length === SIZE)
      if (length !== SIZE) expect(problem).toMatch(/^ATTESTATION_REPORT\S* at byte \d+: /)
    }),
  )
})

test('any bytes are a report or are refused with a place', () => {
  const members = fc.uint8Array({ minLength: SIZE, maxLength: SIZE })
  fc.assert(
    fc.property(members, fc.integer({ min: 0, max: 7 }), (bytes, version) => {
      bytes.set([version, 0, 0, 0])
      expect(problemOf(bytes)).toMatch(/^none$|^ATTESTATION_REPORT\S* at byte \d+: /)
    }),
  )
})

test('every bit of the signed part is in the signed bytes, and no other bit is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 8 * SIZE - 1 }), (bit) => {
      const bytes = usualReport()
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if (problemOf(bytes) !== 'none') return
      const { signed } = parseReport(bytes)
      const isSame = Buffer.compare(signed, usualReport().subarray(0, SIGNED)) === 0
      expect(isSame).toBe(bit >= 8 * SIGNED)
    }),
  )
})

test('the parts of the TCB of family 1Ah have other places', () => {
  const report = parseReport(usualReport())
  const REPORTED_TCB = Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 8)
  const parts = (family: number) =>
    reportedTcb({ ...report, REPORTED_TCB, CPUID_FAM_ID: Uint8Array.of(family) })
  expect(parts(0x1a)).toEqual(
    new Map(Object.entries({ fmc: 1, bootloader: 2, tee: 3, snp: 4, microcode: 8 })),
  )
  expect(parts(0x19)).toBeUndefined()
})

test.each([
  [16, 'policy_smt_allowed'],
  [18, 'policy_migrate_ma'],
  [19, 'policy_debug_allowed'],
  [20, 'policy_single_socket'],
])('bit %i of POLICY alone is %s', (bit, name) => {
  const POLICY = new Uint8Array(8)
  POLICY[bit >> 3] = 1 << (bit & 7)
  const claims = presentClaims({ ...parseReport(usualReport()), POLICY })
  const set = Object.keys(claims).filter((key) => key.startsWith('policy_') && claims[key] === true)
  expect(set).toEqual([name])
})
