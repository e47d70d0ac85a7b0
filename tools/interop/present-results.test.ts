import { expect, test } from 'vitest'
import { countsOf } from './counts.ts'
import { Disagreement } from './disagreement.ts'
import type { InteropEnvironment } from './environment.ts'
import type { InteropTest } from './interop-test.ts'
import {
  exitCodeOf,
  presentReleases,
  presentResults,
  presentTestResult,
} from './present-results.ts'
import { runTests, type TestResult } from './run-tests.ts'

const NO_ENVIRONMENT = {} as InteropEnvironment

function interopTest(id: string, run: InteropTest['run']): InteropTest {
  return { id, title: `${id} as expected`, run }
}

const AGREES = interopTest('one', async () => 'everything')
const DIFFERS = interopTest('two', async () => {
  throw new Disagreement('the state', '3', '9')
})
const FAULTY = interopTest('three', async () => {
  throw new Error('swtpm is gone')
})

const runSteps = (...interopTests: readonly InteropTest[]): Promise<readonly TestResult[]> =>
  runTests(interopTests, NO_ENVIRONMENT, { onStart: () => undefined, onResult: () => undefined })

test('the exit code is 0 if all tests agree', async () => {
  expect(exitCodeOf(await runSteps(AGREES))).toBe(0)
})

test('the exit code is 1 if a test differs, and its line has expected and received value', async () => {
  const all = await runSteps(AGREES, DIFFERS)
  expect(exitCodeOf(all)).toBe(1)
  expect(all.map(presentTestResult).join('\n')).toContain('the state: expected 3, received 9')
})

test('the exit code is 2 if a test cannot run, and the other tests run', async () => {
  const all = await runSteps(FAULTY, DIFFERS, AGREES)
  expect(exitCodeOf(all)).toBe(2)
  expect(presentResults(all)).toContain('1 agree, 1 differ, 1 without a verdict')
})

test('tests that run beside each other start at once, and the others when they have ended', async () => {
  const order: string[] = []
  const named = (id: string, beside?: true): InteropTest => ({
    ...interopTest(id, async () => {
      order.push(`${id} begins`)
      await new Promise(setImmediate)
      order.push(`${id} ends`)
      return 'everything'
    }),
    ...(beside && { beside }),
  })
  const all = await runSteps(named('one'), named('two', true), named('three', true), named('four'))
  expect(all.map(({ interopTest: { id } }) => id)).toEqual(['one', 'two', 'three', 'four'])
  expect(order.join(', ')).toBe(
    'one begins, one ends, two begins, three begins, two ends, three ends, four begins, four ends',
  )
})

test('the outcomes of a suite are counted by class in a second table', async () => {
  const outcomes = ['pass', 'pass', 'pass', 'fail', 'fail', 'waived'] as const
  const all = await runSteps(
    AGREES,
    interopTest('suite', async () => countsOf(outcomes)),
  )
  expect(all.map(presentTestResult).join()).toContain('3 passed, 2 failed, 1 excused')
  expect(presentResults(all)).toMatch(/suite\s+│\s+3 │\s+2 │\s+1 │\s+0 │\s+0 │/)
})

test('the table contains no times: two runs with the same results print the same text', async () => {
  expect(presentResults(await runSteps(AGREES, DIFFERS))).toBe(
    presentResults(await runSteps(AGREES, DIFFERS)),
  )
})

test('the table of several releases has a column for each', async () => {
  const suite = interopTest('two', async () => countsOf(['pass', 'fail']))
  const both = [
    { release: '7.14.2', results: await runSteps(AGREES, DIFFERS) },
    { release: '7.14.3', results: await runSteps(AGREES, suite) },
  ]
  const table = presentReleases(both)
  expect(table).toMatch(/test\s+│ 7\.14\.2 │ 7\.14\.3/)
  expect(table).toMatch(/one\s+│ agree\s+│ agree\s/)
  expect(table).toMatch(/two\s+│ DIFFER\s+│ agree: 1 passed, 1 failed/)
})
