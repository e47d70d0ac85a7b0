import { expect, test } from 'vitest'
import { runAssay } from '../../../conformance/selftest/command.ts'
import { main } from '../main.ts'
import { countPolls } from './poll-gaps.ts'
import { presentPolls } from './present-polls.ts'
import { costOf, slopePerMinute } from './process-cost.ts'

const every = (ms: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / ms) }, (_, at) => from + at * ms)

test('a verifier that asks at each interval misses none', () => {
  const times = [every(2000, 1000, 21_000), every(2100, 0, 21_000)]
  expect(countPolls(times, [2000, 20_000], 2000)).toMatchObject({ missed: 0, polls: 18, fewest: 9 })
})

test('an interval without a poll is missed, wherever it is', () => {
  const all = every(2000, 0, 22_000)
  const without = (...gone: readonly number[]) => [all.filter((time) => !gone.includes(time))]
  expect(countPolls(without(8000), [0, 20_001], 2000).missed).toBe(1)
  expect(countPolls(without(8000, 10_000), [0, 20_001], 2000).missed).toBe(2)
  expect(countPolls(without(18_000, 20_000, 22_000), [0, 20_001], 2000).missed).toBe(1)
  expect(countPolls([[]], [0, 20_000], 2000)).toMatchObject({ missed: 9, fewest: 0 })
})

test('what grows is told from what jumps', () => {
  const times = every(1000, 0, 60_000)
  expect(slopePerMinute(times, times)).toBeCloseTo(60_000)
  expect(
    slopePerMinute(
      times,
      times.map(() => 7),
    ),
  ).toBe(0)
  const jumping = times.map((_, at) => (at % 2) * 100)
  expect(Math.abs(slopePerMinute(times, jumping))).toBeLessThan(10)
  expect(slopePerMinute([1], [5])).toBe(0)
})

test('the cost of a process grows with what it does', () => {
  const before = costOf(process.pid)
  const begun = process.cpuUsage()
  while (process.cpuUsage(begun).user < 60_000) Math.sqrt(2)
  const after = costOf(process.pid)
  expect(after.cpuMs).toBeGreaterThan(before.cpuMs)
  expect(after.rss).toBeGreaterThan(10_000_000)
})

const WATCHED = {
  ...{ polls: 3000, gap: { p50: 2000, p95: 2100, most: 2300 }, missed: 0, fewest: 29 },
  ...{ ms: 60_000, cpuMs: 6000, primitiveMs: 0.1, rss: 100 * 1024 * 1024, growth: 0 },
  ...{ intervalMs: 2000, passed: 100 },
}
const verdict = (seen: Partial<typeof WATCHED>) =>
  presentPolls({ ...WATCHED, ...seen }, { agents: 100 })

test('what was seen is told beside what a peer pays, and beside a primitive', () => {
  const { lines, isGood } = verdict({})
  expect(isGood).toBe(true)
  expect(lines.join('\n')).toContain(
    '2.00 ms a poll, 10 % of one core; a peer pays 15 ms, 7.5 times',
  )
  expect(lines.join('\n')).toContain('20 of which are a poll')
})

test.each([{ missed: 1 }, { passed: 99 }, { growth: 6 * 1024 * 1024 }])(
  '%o is not good',
  (seen) => {
    expect(verdict(seen).isGood).toBe(false)
  },
)

test.each([
  [['load', 'polls'], '--target'],
  [['load', 'polls', '--target', 'x', '--agents', '2001'], 'up to 2000'],
  [['load', 'agents'], 'assay load polls alone'],
])('%j is refused in a sentence', async (argv, said) => {
  await expect(main(argv)).rejects.toMatchObject({ sentence: expect.stringContaining(said) })
})

test('the reference polls twenty agents and misses none', {
  timeout: 300_000,
  retry: 1,
}, async () => {
  const target = ['--target', 'reference/assay.target.yaml']
  const words = ['load', 'polls', ...target, '--agents', '20', '--seconds', '5']
  const { code, stdout, stderr } = await runAssay(words)
  expect(stderr).toBe('')
  expect(stdout).toContain('20 of 20 agents pass')
  expect(code, stdout).toBe(0)
})
