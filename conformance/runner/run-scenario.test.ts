import { expect, test } from 'vitest'
import { Overslept } from '../attempt/endings.ts'
import { ANONYMOUS } from '../client/identity.ts'
import { createRedactor } from '../report/redaction/redact.ts'
import type { ScenarioResult } from '../report/result.ts'
import { Transcripts, type WhichTranscripts } from '../report/transcripts/transcripts.ts'
import type { Context, Scenario } from '../scenario.ts'
import { ENVIRONMENT } from '../selftest/outcomes/five-outcomes.ts'
import { runScenario, unrunResult } from './run-scenario.ts'

const base: Omit<Scenario, 'run'> = {
  ...{ id: 'late', title: 'a scenario with a deadline', requirements: ['REQ'] },
  ...{ role: 'verifier', since: '3.0' },
}

const JUDGED = { strength: 'fixed', judged: 'wire' } as const

/** Runs a scenario whose harness is late the first times; returns the number of attempts and the result. */
async function lateFor(times: number, before: (context: Context) => void = () => undefined) {
  let begun = 0
  const run: Scenario['run'] = async (context) => {
    begun += 1
    before(context)
    if (begun <= times) throw new Overslept('this machine is too busy')
    context.check('REQ', 'one').of(1).is(1)
  }
  const trial = { scenario: { ...base, run }, version: '3.0' }
  const { outcome, reason, checks } = await runScenario(ENVIRONMENT, trial, 'm')
  return { outcome, reason, checks: checks.length, begun }
}

test('a scenario is started again until the harness is in time', async () => {
  expect(await lateFor(5)).toEqual({ outcome: 'pass', reason: undefined, checks: 1, begun: 6 })
})

test('a scenario whose harness is always late has no verdict', async () => {
  const reason = 'this machine is too busy'
  expect(await lateFor(9)).toEqual({ outcome: 'harness-fault', reason, checks: 0, begun: 6 })
})

test('a scenario with a failed check is not repeated because the harness was late', async () => {
  const wrong = await lateFor(2, ({ check }) => void check('REQ', 'zero').of(0).is(1))
  expect(wrong).toMatchObject({ outcome: 'fail', begun: 1 })
})

/** Runs a scenario whose measured time is too long the first times; `before` makes further checks. */
async function slowFor(times: number, before: (context: Context) => void = () => undefined) {
  let begun = 0
  const run: Scenario['run'] = async (context) => {
    begun += 1
    before(context)
    context
      .check('REQ', 'milliseconds')
      .measured(begun <= times ? 900 : 100)
      .matches('at most 200', (ms) => ms <= 200)
  }
  const trial = { scenario: { ...base, run }, version: '3.0' }
  const transcripts = new Transcripts('all')
  const { outcome, checks } = await runScenario({ ...ENVIRONMENT, transcripts }, trial, 'm')
  const notes = transcripts
    .of({ id: base.id, version: '3.0' })
    .flatMap((entry) => (entry.lane === 'note' ? [entry.text] : []))
  return { outcome, notes, begun, wrong: checks.filter(({ ok }) => !ok).length }
}

test('a scenario that fails only on a measured time is repeated, and the transcript says why', async () => {
  const reason = 'REQ: milliseconds was expected to be at most 200, and was 900'
  expect(await slowFor(1)).toEqual({
    outcome: 'pass',
    notes: [`repeated, because a busy machine may be the cause: ${reason}`],
    begun: 2,
    wrong: 0,
  })
})

test('a measured time that is too long three times is a failure', async () => {
  expect(await slowFor(9)).toMatchObject({ outcome: 'fail', begun: 3 })
})

test('the attempt with the fewest failed checks counts', async () => {
  let begun = 0
  const failAnotherCheck = ({ check }: Context) => {
    begun += 1
    check('REQ', 'milliseconds of another wait')
      .measured(begun)
      .matches('2', (ms) => ms === 2)
  }
  expect(await slowFor(9, failAnotherCheck)).toMatchObject({ outcome: 'fail', wrong: 1, begun: 3 })
})

test('a scenario with another failed check is not repeated', async () => {
  const wrong = await slowFor(1, ({ check }) => void check('REQ', 'zero').of(0).is(1))
  expect(wrong).toMatchObject({ outcome: 'fail', begun: 1 })
})

test('a scenario that passes runs once', async () => {
  expect(await slowFor(0)).toEqual({ outcome: 'pass', notes: [], begun: 1, wrong: 0 })
})

/** Runs a scenario that fails the first times; the machine pauses as often, for that many milliseconds. */
async function pausedFor(ms: number, { pauses = 1, failures = 1 } = {}) {
  let begun = 0
  let time = 0
  const run: Scenario['run'] = async ({ check }) => {
    begun += 1
    if (begun <= pauses) time += ms
    check('REQ', 'one')
      .of(begun <= failures ? 0 : 1)
      .is(1)
  }
  const trial = { scenario: { ...base, run }, version: '3.0' }
  const transcripts = new Transcripts('all')
  const environment = { ...ENVIRONMENT, transcripts, now: () => time }
  const { outcome } = await runScenario(environment, trial, 'm')
  const notes = transcripts
    .of({ id: base.id, version: '3.0' })
    .flatMap((entry) => (entry.lane === 'note' ? [entry.text] : []))
  return { outcome, begun, notes }
}

test('a scenario that fails while the machine stands still is repeated, and the transcript says why', async () => {
  const reason = 'REQ: one was expected to be 1, and was 0'
  expect(await pausedFor(12_200)).toEqual({
    outcome: 'pass',
    begun: 2,
    notes: [`repeated, because this machine stood still for 12.0 s: ${reason}`],
  })
})

test('a scenario that fails again when the machine does not stand still has failed', async () => {
  expect(await pausedFor(12_200, { failures: 9 })).toMatchObject({ outcome: 'fail', begun: 2 })
})

test('a scenario that fails without a long pause, or passes in spite of one, runs once', async () => {
  expect(await pausedFor(1000)).toMatchObject({ outcome: 'fail', begun: 1 })
  expect(await pausedFor(12_200, { failures: 0 })).toMatchObject({ outcome: 'pass', begun: 1 })
})

const SECRET = 'QmVjYXVzZSBpdCBpcyBhIHNlY3JldC4gT2YgY291cnN'

/** Runs a scenario that sends a secret and checks the same value. */
async function sendSecret(which: WhichTranscripts, expected: string) {
  const run: Scenario['run'] = async ({ verifier: { client }, check }) => {
    const sent = { method: 'POST', url: 'http://127.0.0.1:1/', credentials: ANONYMOUS }
    await client.exchange({ ...sent, body: { v: SECRET } })
    check('REQ', 'a value').of(SECRET).is(expected)
  }
  const transcripts = new Transcripts(which)
  const environment = { ...ENVIRONMENT, transcripts, redactor: createRedactor([]) }
  const result = await runScenario(environment, { scenario: { ...base, run }, version: '3.0' }, 'm')
  return { result, entries: transcripts.of(result) }
}

test.each<readonly [WhichTranscripts, ScenarioResult['outcome'], boolean]>([
  ['notable', 'pass', false],
  ['notable', 'fail', true],
  ['all', 'pass', true],
  ['none', 'fail', false],
])('where %s transcripts are kept, that of a %s is: %s', async (which, outcome, kept) => {
  const { result, entries } = await sendSecret(which, outcome === 'pass' ? SECRET : 'another')
  expect(result).toMatchObject({ outcome, transcript: { entries: 1, kept } })
  expect(entries).toHaveLength(kept ? 1 : 0)
})

test('a secret that occurs only in a dropped transcript is redacted in the checks', async () => {
  const { result } = await sendSecret('notable', SECRET)
  expect(JSON.stringify(result)).not.toContain(SECRET)
  expect(result.checks[0]?.received).toBe('"[redacted 43 characters]"')
})

test('a long value is cut if the check held, and complete if it did not', async () => {
  const long = 'x'.repeat(5000)
  const run: Scenario['run'] = async ({ check }) => {
    check('REQ', 'one').of(long).is(long)
    check('REQ', 'other').of(long).is('')
  }
  const { checks } = await runScenario(
    ENVIRONMENT,
    { scenario: { ...base, run }, version: '3.0' },
    'm',
  )
  expect(checks.map(({ received }) => received.length)).toEqual([1020, 5002])
  expect(checks[0]?.received).toMatch(/x… \[5,002 characters\]$/)
})

test('a scenario that ran says when it started, and one that did not run says nothing', async () => {
  const before = new Date().toISOString()
  const scenario = { ...base, run: () => Promise.resolve() }
  const trial = { scenario, version: '3.0' }
  const { started_at = '' } = await runScenario(ENVIRONMENT, trial, 'm')
  expect(started_at >= before && started_at <= new Date().toISOString()).toBe(true)
  expect(unrunResult(ENVIRONMENT, trial, { outcome: 'skipped' }).started_at).toBeUndefined()
})

test.each([
  ['2.4', 'warn'],
  ['2.5', 'fail'],
])('under %s a check of a row since 2.5 that does not hold gives %s', async (version, outcome) => {
  const row = { ...{ id: 'REQ', component: 'x', since: '2.5', lines: [1], says: 'x' }, ...JUDGED }
  const run: Scenario['run'] = async ({ check }) => void check('REQ', 'zero').of(0).is(1)
  const scenario = { ...base, since: '2.4', run }
  const result = await runScenario({ ...ENVIRONMENT, rows: [row] }, { scenario, version }, 'm')
  expect(result.outcome).toBe(outcome)
})
