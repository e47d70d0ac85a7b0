import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recorded } from '../../../tpm/testing/recorded-boot.ts'
import { provenPcrs } from '../../testing/proven-pcrs.ts'
import { evaluateIma } from '../evaluate-ima.ts'

const LINES = Buffer.from(recorded('ascii_before_tools'))
  .toString('latin1')
  .split('\n')
  .slice(0, -1)
const VALUE = new Uint8Array(32)
const EXPECTED = { ignoreTomtouErrors: true, bootAggregates: new Set<string>() }

function listOf(lines: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(`${lines.join('\n')}\n`, 'latin1'))
}

/** PCR 10 after a list, as the report of the mismatch with zeros has it. */
function reached(bytes: Uint8Array): unknown {
  const verified = provenPcrs([{ bank: 'sha256', values: new Map([[10, VALUE.fill(0xee)]]) }])
  const { findings } = evaluateIma(
    { format: 'ascii', bytes, startingOffset: 0 },
    verified,
    EXPECTED,
  )
  return findings.find(({ context }) => context.check === 'ima.replay')?.context.message
}

const permutation = fc.shuffledSubarray(LINES, { minLength: LINES.length })

test('lists of the same entries in another order end at other values', () => {
  const straight = reached(listOf(LINES))
  expect(straight).toMatch(/^the list replays to [0-9a-f]{64}/)
  fc.assert(
    fc.property(permutation, (lines) => {
      // Violations are all extended as the same value, so that they may change places.
      const shown = (all: readonly string[]) =>
        all.map((line) => line.replace(/^10 0{40} .*/, 'violation'))
      const same = shown(lines).join('\n') === shown(LINES).join('\n')
      expect(reached(listOf(lines)) === straight).toBe(same)
    }),
    { numRuns: 60 },
  )
})

test('a part of the entries ends at another value than all of them', () => {
  const straight = reached(listOf(LINES))
  fc.assert(
    fc.property(fc.subarray(LINES, { maxLength: LINES.length - 1 }), (lines) => {
      expect(reached(listOf(lines))).not.toBe(straight)
    }),
    { numRuns: 60 },
  )
})

const junk = fc.oneof(
  fc.constantFrom(...LINES),
  fc.constantFrom(...LINES).map((line) => line.replace(/^10 ./, '10 f')),
  fc.string({ maxLength: 200 }),
  fc.constant('10 '),
  fc.constant(`10 ${'f'.repeat(40)} ima-ng sha256:${'a'.repeat(64)} `),
)

/** Data of the oldest template is longer than its line; nothing makes more of a byte. */
const HASHED_PER_BYTE = 5
const HASHED_AT_LEAST = 276

test('the hashed bytes are at most proportional to the bytes of the list, for any input', () => {
  const verified = provenPcrs([{ bank: 'sha256', values: new Map([[10, VALUE]]) }])
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 300 }), (lines) => {
      const bytes = listOf(lines)
      const evidence = { format: 'ascii', bytes, startingOffset: 0 } as const
      const { hashedBytes } = evaluateIma(evidence, verified, EXPECTED)
      expect(hashedBytes).toBeLessThanOrEqual(HASHED_PER_BYTE * bytes.length + HASHED_AT_LEAST)
    }),
    { numRuns: 60 },
  )
})
