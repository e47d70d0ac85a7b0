import { expect, test } from 'vitest'
import { runAssay } from '../../../conformance/selftest/command.ts'
import { main } from '../main.ts'
import { countPolls } from './poll-gaps.ts'
import { presentPolls } from './present-polls.ts'
import { costOf, slopePerMinute } from './process-cost.ts'

const every = (ms: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / ms) }, (_, at) => from + at * ms)

test('a verifier that polls at each interval misses none', () => {
  const times = [every(2000, 1000, 21_000), every(2100, 0, 21_000)]
  expect(countPolls(times, [2000, 20_000], 2000)).toMatchObject({ missed: 0, polls: 18, fewest: 9 })
})

test('an interval without a poll is missed at any position', () => {
  const all = every(2000, 0, 22_000)
  const without = (...gone: readonly number[]) => [all.filter((time) => !gone.includes(time))]
  expect(countPolls(without(8000), [0, 20_001], 2000).missed).toBe(1)
  expect(countPolls(without(8000, 10_000), [0, 20_001], 2000).missed).toBe(2)
  expect(countPolls(without(18_000, 20_000, 22_000), [0, 20_001], 2000).missed).toBe(1)
  expect(countPolls([[]], [0, 20_000], 2000)).toMatchObject({ missed: 9, fewest: 0 })
})

test('the slope distinguishes growth from fluctuation', () => {
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

test('the cost of a process grows with its work', () => {
  const before = costOf(process.pid)
  const begun = process.cpuUsage()
  while (process.cpuUsage(begun).user < 60_000) Math.sqrt(2)
  const after = costOf(process.pid)
  expect(after.cpuMs).toBeGreaterThan(before.cpuMs)
  expect(after.rss).toBeGreaterThan(10_000_000)
})

const MEASURED = {
  ...{ polls: 3000, gap: { p50: 2000, p95: 2100, most: 2300 }, missed: 0, fewest: 29 },
  ...{ ms: 60_000, cpuMs: 6000, primitiveMs: 0.1, rss: 100 * 1024 * 1024, growth: 0 },
  ...{ intervalMs: 2000, passed: 100 },
}
const verdict = (change: Partial<typeof MEASURED>) =>
  presentPolls({ ...MEASURED, ...change }, { agents: 100 })

test('the cost of a poll is compared with another verifier and with a P-256 verification', () => {
  const { lines, isGood } = verdict({})
  expect(isGood).toBe(true)
  expect(lines.join('\n')).toContain(
    '2.00 ms per poll, 10 % of one core; another verifier needs 15 ms, 7.5 times',
  )
  expect(lines.join('\n')).toContain('a poll costs 20 of them')
})

test.each([{ missed: 1 }, { passed: 99 }, { growth: 6 * 1024 * 1024 }])(
  '%o is not acceptable',
  (change) => {
    expect(verdict(change).isGood).toBe(false)
  },
)

test.each([
  [['load', 'polls', '--target', 'x', '--agents', '2001'], 'up to 2000'],
  [['load', 'agents'], 'only be started by assay load polls'],
])('%j is rejected', async (argv, sentence) => {
  await expect(main(argv)).rejects.toMatchObject({ sentence: expect.stringContaining(sentence) })
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
