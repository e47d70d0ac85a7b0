import { expect, test } from 'vitest'
import type { CheckResult, Outcome, ScenarioResult } from '../../report/result.ts'
import type { WireEntry } from '../../report/transcripts/transcript-entry.ts'
import { UnservedOperations } from './unserved-operations.ts'

const ACTIVATE = 'PUT /agents/{agent_id}/activate of the registrar'
const READ = 'GET /agents/{agent_id} of the registrar'

function asked(operation: string | undefined, status: number | undefined): WireEntry {
  return {
    ...{ lane: 'wire', at_ms: 0, ms: 1, speaker: 'admin' },
    request: { method: 'GET', url: 'https://127.0.0.1/', headers: {} },
    ...(operation === undefined ? {} : { operation }),
    ...(status === undefined
      ? { failure: 'no answer in time' }
      : { response: { status, headers: {}, body: '' } }),
  }
}

/** A scenario whose first check held, and whose second one did not, after the exchange `at`. */
function scenario(id: string, outcome: Outcome, at?: number): ScenarioResult {
  const check: CheckResult = {
    ...{ requirement: 'REQ', what: 'it', expected: '1', received: '2', at: 0, ok: true },
  }
  const checks = at === undefined ? [] : [check, { ...check, at, ok: false }]
  return {
    ...{ id, title: id, role: 'registrar', version: '2.5', requirements: [], outcome, ms: 1 },
    ...{ checks, observations: [], transcript: { entries: 0, kept: false }, repeat: '' },
  }
}

test('the first operation before the failure that no scenario was served is its cause', () => {
  const run = new UnservedOperations()
  const failed = scenario('failed', 'fail', 2)
  run.learn(failed, [asked(READ, 404), asked(ACTIVATE, 400), asked(READ, 404)], 3)
  run.learn(scenario('passed', 'pass'), [asked(READ, 200)], 1)
  expect(run.of(failed)).toEqual({ operation: ACTIVATE, answer: 'HTTP 400' })
})

test('an operation that another scenario was served is no cause, however late', () => {
  const run = new UnservedOperations()
  const failed = scenario('failed', 'fail', 0)
  run.learn(failed, [asked(ACTIVATE, 400)], 1)
  expect(run.of(failed)?.operation).toBe(ACTIVATE)
  run.learn(scenario('other', 'fail', 1), [asked(ACTIVATE, 200), asked(READ, 404)], 2)
  expect(run.of(failed)).toBeUndefined()
})

test('an operation that is asked for after the failure, or while cleaning up, is no cause', () => {
  const run = new UnservedOperations()
  const failed = scenario('failed', 'fail', 0)
  run.learn(failed, [asked(undefined, 500), asked(ACTIVATE, 400)], 2)
  const hung = scenario('hung', 'hang')
  run.learn(hung, [asked(READ, undefined), asked(ACTIVATE, 400)], 1)
  expect(run.of(failed)).toBeUndefined()
  expect(run.of(hung)).toEqual({
    operation: READ,
    answer: 'no HTTP answer (no answer in time)',
  })
})

test('a scenario that passed has no such cause', () => {
  const run = new UnservedOperations()
  const passed = scenario('passed', 'pass')
  run.learn(passed, [asked(ACTIVATE, 400)], 1)
  expect(run.of(passed)).toBeUndefined()
})
