import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recorded } from '../../../tpm/testing/recorded-boot.ts'
import { defaultChecks } from '../../evaluate.ts'
import { listedPcrs, provenPcrs } from '../../testing/proven-pcrs.ts'
import { recordedPolicy } from '../../testing/recorded-policy.ts'
import { evaluateIma } from '../evaluate-ima.ts'
import { LineMemo, LineTable } from './line-memo.ts'

const PCRS = listedPcrs(Buffer.from(recorded('pcrs_before_tools.txt')).toString())
const VERIFIED = provenPcrs(PCRS)
const LINES = Buffer.from(recorded('ascii_before_tools')).toString('latin1').split('\n')
const POLICY = recordedPolicy()

function evaluationOf(lines: readonly string[], memo?: LineMemo, policy = POLICY) {
  const bytes = new Uint8Array(Buffer.from(lines.join('\n'), 'latin1'))
  const expected = { policy, ignoreTomtouErrors: true, bootAggregates: new Set<string>() }
  const evidence = { format: 'ascii', bytes, startingOffset: 0 } as const
  const { imaList, imaEntry } = defaultChecks
  return evaluateIma(evidence, VERIFIED, expected, imaList, imaEntry, memo)
}

function verdictOf({ hashedBytes: _, ...rest }: ReturnType<typeof evaluationOf>) {
  return rest
}

test('a list that was evaluated before has the same outcome, with less hashing', () => {
  const memo = new LineMemo()
  const [first, second] = [evaluationOf(LINES, memo), evaluationOf(LINES, memo)]
  expect(verdictOf(first)).toEqual(verdictOf(evaluationOf(LINES)))
  expect(verdictOf(second)).toEqual(verdictOf(first))
  expect(second.hashedBytes).toBeLessThan(first.hashedBytes / 4)
})

test('known lines in another order do not replay', () => {
  const memo = new LineMemo()
  expect(evaluationOf(LINES, memo).findings).toEqual([])
  const swapped = [...LINES.slice(0, 4), LINES[5] ?? '', LINES[4] ?? '', ...LINES.slice(6)]
  expect(evaluationOf(swapped, memo).findings).toMatchObject([{ type: 'ima.pcr_mismatch' }])
})

test('lines allowed by one policy are not remembered for another', () => {
  const memo = new LineMemo()
  evaluationOf(LINES, memo)
  const stricter = recordedPolicy(['/mnt/bin/busybox'])
  expect(evaluationOf(LINES, memo, stricter).findings).toEqual(
    evaluationOf(LINES, undefined, stricter).findings,
  )
  expect(evaluationOf(LINES, memo, stricter).findings).toHaveLength(1)
})

test('a line that failed is checked again', () => {
  const memo = new LineMemo()
  const stricter = recordedPolicy(['/mnt/bin/busybox'])
  for (const _ of [1, 2, 3]) expect(evaluationOf(LINES, memo, stricter).findings).toHaveLength(1)
})

test('a memory of other lists does not change the outcome of a list', () => {
  const memo = new LineMemo(2000)
  const index = fc.nat(LINES.length - 1)
  const edit = fc.record({ line: index, at: fc.nat(400), text: fc.constantFrom('', ' ', '0', 'x') })
  const list = fc.record({
    picked: fc.array(index, { maxLength: 40 }),
    edits: fc.array(edit, { maxLength: 2 }),
  })
  fc.assert(
    fc.property(list, ({ picked, edits }) => {
      const lines = picked.map((line) => LINES[line] ?? '')
      for (const { line, at, text } of edits) {
        const old = lines[line] ?? ''
        if (line < lines.length) lines[line] = old.slice(0, at) + text + old.slice(at + 1)
      }
      expect(verdictOf(evaluationOf(lines, memo))).toEqual(verdictOf(evaluationOf(lines)))
    }),
    { numRuns: 300 },
  )
})

const HEAD = `10 ${'ab'.repeat(20)} `

test('lines with a common prefix are distinguished', () => {
  const table = new LineTable()
  table.set(`${HEAD}ima-ng sha256:00 /good`, 'value')
  expect(table.get(`${HEAD}ima-ng sha256:00 /evil`)).toBeUndefined()
  expect(table.get(`${HEAD}ima-ng sha256:00 /good`)).toBe('value')
})

test('used lines stay, and the rest is evicted when a generation is full', () => {
  const table = new LineTable(100)
  const line = (name: string) => `${name.padEnd(44, '.')}12345`
  table.set(line('kept'), 'k')
  table.set(line('lost'), 'l')
  table.set(line('next'), 'n')
  expect(table.get(line('kept'))).toBe('k')
  table.set(line('more'), 'm')
  expect([table.get(line('kept')), table.get(line('lost'))]).toEqual(['k', undefined])
})

test('a line longer than any path makes is not kept', () => {
  const table = new LineTable()
  table.set('x'.repeat(16 * 1024 + 1), 'value')
  expect(table.get('x'.repeat(16 * 1024 + 1))).toBeUndefined()
})
