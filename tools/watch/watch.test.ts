import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Outcome, ScenarioResult } from '../../conformance/report/result.ts'
import { sampleResult } from '../../conformance/report/testing/sample-result.ts'
import { sampleScenarios } from '../../conformance/report/testing/sample-scenarios.ts'
import { type History, openHistory } from './history.ts'
import { historyPage } from './history-page.ts'
import { metricsOf, serveMetrics } from './metrics.ts'
import { type RoundResult, runRound } from './run-round.ts'
import { inBins } from './timeline.ts'
import { watch } from './watch.ts'

const TARGET = 'Example vendor'
const MINUTE = 60_000

let directory = ''
let history: History
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-watch-'))
  history = openHistory(join(directory, 'history.sqlite'), TARGET)
})
afterEach(() => {
  history.close()
  rmSync(directory, { recursive: true, force: true })
})

const [passing] = sampleScenarios().filter(({ outcome }) => outcome === 'pass')
const scenario = (id: string, outcome: Outcome, reason = ''): ScenarioResult => {
  if (passing === undefined) throw new Error('the sample has no passing scenario')
  return { ...passing, id, version: '3.0', outcome, ...(reason === '' ? {} : { reason }) }
}
const round = (...scenarios: readonly ScenarioResult[]): RoundResult => ({
  result: sampleResult(scenarios),
})

/** A watch over prepared rounds. Each takes `took` ms; a wait takes what it was asked for. */
async function watched(results: readonly RoundResult[], took = 1000) {
  const stop = new AbortController()
  const texts: string[] = []
  const starts: number[] = []
  const left = [...results]
  let now = Date.UTC(2026, 0, 1)
  const code = await watch(
    {
      ...{ history, every: MINUTE, rounds: results.length, stop: stop.signal },
      stream: { write: (text: string) => texts.push(text) > 0 },
    },
    {
      now: () => now,
      wait: async (ms) => {
        now += ms
      },
      publish: async () => undefined,
      run: async () => {
        starts.push(now)
        now += took
        const next = left.shift()
        if (next === undefined) throw new Error('one round too many')
        return next
      },
    },
  )
  return { code, text: texts.join(''), starts }
}

const A = (outcome: Outcome, reason?: string) => scenario('registrar.a', outcome, reason)
const B = (outcome: Outcome) => scenario('registrar.b', outcome)

test('a round says what differs from the one before, and nothing if nothing does', async () => {
  const { text, code } = await watched([
    round(A('pass'), B('pass')),
    round(A('fail', 'status: expected 200, received 500'), B('pass')),
    round(A('fail', 'status: expected 200, received 502'), B('pass')),
    round(A('pass')),
  ])
  const changes = text.split('\n').filter((line) => line.includes('→'))
  expect(changes).toEqual([
    '  registrar.a 3.0  pass → fail: status: expected 200, received 500',
    '  registrar.a 3.0  fail → pass',
    '  registrar.b 3.0  pass → absent',
  ])
  expect(code).toBe(0)
})

test('the exit code is that of the last round', async () => {
  expect((await watched([round(A('pass')), round(A('fail', 'no answer'))])).code).toBe(1)
  expect((await watched([round(A('pass')), { says: 'no answer' }])).code).toBe(2)
})

test('a round without a result is stored with its sentence, and changes no outcome', async () => {
  await watched([round(A('pass')), { says: 'the registrar does not answer' }, round(A('pass'))])
  expect(history.rounds().map(({ verdict, says }) => [verdict, says])).toEqual([
    ['conforms', ''],
    ['no verdict', 'the registrar does not answer'],
    ['conforms', ''],
  ])
  expect(history.changes().filter(({ before }) => before !== null)).toEqual([])
})

test('scenarios that a run which ended early did not reach are not absent', async () => {
  const early = {
    ...sampleResult([A('pass')]),
    ended_early: { because: 'died', says: 'the registrar died' },
  } as const
  await watched([round(A('pass'), B('pass')), { result: early }, round(A('pass'), B('pass'))])
  expect(history.changes().filter(({ round: at }) => at > 1)).toEqual([])
})

test('rounds begin at equal distances, and one that takes longer is followed at once', async () => {
  const three = [round(A('pass')), round(A('pass')), round(A('pass'))]
  const short = await watched(three)
  expect(short.starts.map((one) => one - (short.starts[0] ?? 0))).toEqual([0, 60_000, 120_000])
  const long = await watched(three, 90_000)
  expect(long.starts.map((one) => one - (long.starts[0] ?? 0))).toEqual([0, 90_000, 180_000])
})

test('a round that a signal ended is not stored', async () => {
  const stop = new AbortController()
  const code = await watch(
    { history, every: MINUTE, stop: stop.signal, stream: { write: () => true } },
    {
      ...{ now: () => 0, wait: async () => undefined, publish: async () => undefined },
      run: async () => {
        stop.abort()
        return { says: 'ended by SIGTERM' }
      },
    },
  )
  expect(code).toBe(2)
  expect(history.rounds()).toEqual([])
})

test('a history goes on where it ended', async () => {
  await watched([round(A('pass'))])
  history.close()
  history = openHistory(join(directory, 'history.sqlite'), TARGET)
  const { text } = await watched([round(A('hang', 'no answer within 10 s'))])
  expect(text).toContain('registrar.a 3.0  pass → hang: no answer within 10 s')
  expect(history.rounds()).toHaveLength(2)
})

test('a history of another target, and a file that is none, are refused', () => {
  expect(() => openHistory(join(directory, 'history.sqlite'), 'Another')).toThrow(
    /is the history of the target Example vendor, not Another/,
  )
  writeFileSync(
    join(directory, 'notes.txt'),
    'a text that is long enough to be no database'.repeat(99),
  )
  expect(() => openHistory(join(directory, 'notes.txt'), TARGET)).toThrow(
    /cannot be used: .*not a database/,
  )
})

test('the page has failing scenarios first, and what was received is text', async () => {
  const broken = round(A('fail', '<script>alert(1)</script>'), B('pass'))
  await watched([round(A('pass'), B('pass')), broken, round(A('pass'), B('fail'))])
  const page = historyPage(history)
  expect(page).not.toContain('<script')
  expect(page).toContain('&lt;script')
  const [, scenarios = ''] = page.split('Scenarios that failed or changed')
  expect(scenarios.indexOf('registrar.b')).toBeLessThan(scenarios.indexOf('registrar.a'))
  expect(page).toContain('1 of 3 rounds without a failure')
})

test('a strip of many rounds shows the worst of each part', () => {
  const outcomes = Array.from({ length: 1000 }, (_, at) => (at === 777 ? 'fail' : 'pass'))
  const bins = inBins(outcomes, 240, (one) => (one === 'fail' ? 0 : 1))
  expect(bins).toHaveLength(200)
  expect(bins.indexOf('fail')).toBe(155)
})

test('the metrics name the scenarios that fail, and are served as OpenMetrics', async () => {
  await watched([round(A('pass'), B('pass')), round(A('fail', 'no answer'), B('pass'))])
  const served = await serveMetrics(history, 0)
  const answer = await fetch(served.url)
  const text = await answer.text()
  await served.close()
  expect(answer.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1/)
  expect(text).toBe(await metricsOf(history))
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'assay_watch_conforms 0',
      'assay_watch_rounds{verdict="conforms"} 1',
      'assay_watch_rounds{verdict="does not conform"} 1',
      'assay_watch_scenarios{outcome="pass"} 1',
      'assay_watch_failed{scenario="registrar.a",version="3.0"} 1',
    ]),
  )
  expect(text.trimEnd().endsWith('# EOF')).toBe(true)
})

test('a run that cannot begin ends a round with its sentence', async () => {
  const file = join(directory, 'assay.target.yaml')
  writeFileSync(file, `name: ${TARGET}\nversions: ['2.5']\nroles: {}\n`)
  const found = await runRound(['--target', file], directory, new AbortController().signal)
  expect(found).toEqual({ says: expect.stringContaining('assay.target.yaml') })
})
