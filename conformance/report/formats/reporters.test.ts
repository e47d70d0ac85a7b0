import { expect, test } from 'vitest'
import { fakeTerminal, fakeTicker } from '../testing/fake-terminal.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { createReporters } from './reporters.ts'

test('a log has a line for each scenario, where a terminal has those that failed', () => {
  const stream = fakeTerminal({ columns: 200 })
  const log = fakeTerminal({ columns: 200 })
  const { ticker, tick } = fakeTicker()
  const told = { stream, environment: {}, ticker, colour: false, detail: 'counts' } as const
  const progress = createReporters(told, [], {}, log)
  const { scenarios } = sampleResult()
  progress.began(scenarios)
  for (const scenario of scenarios) progress.finished(scenario)
  tick()
  const linesOf = ({ screen }: typeof log) => screen().filter((line) => /^[A-Z/]+ /.test(line))
  expect(linesOf(log)).toHaveLength(14)
  expect(linesOf(stream)).toHaveLength(6)
  expect(log.written()).not.toContain('14 of 14')
})
