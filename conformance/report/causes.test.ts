import { expect, test } from 'vitest'
import { causesOf } from './causes.ts'
import { presentCause } from './present-causes.ts'
import type { FailedStep, ScenarioResult } from './result.ts'

const STEP: FailedStep = {
  requirement: 'VER-ADD-STATUS',
  what: 'adding an agent',
  expected: 'HTTP 200',
  received: 'HTTP 500',
}

const scenario = (id: string, parts: Partial<ScenarioResult>): ScenarioResult => ({
  ...{ id, title: id, role: 'verifier', version: '3.0', requirements: [], outcome: 'fail', ms: 1 },
  ...{ checks: [], observations: [], transcript: { entries: 0, kept: false }, repeat: '' },
  ...parts,
})

const at = (second: number) => `2026-11-20T12:00:0${second}.000Z`

const broken = (received: string) => ({
  ...{ requirement: 'REQ', what: 'agent', expected: 'none', received, ok: false, at: 0 },
})

test('failures at the same step have one cause, which names its first failure in time', () => {
  const causes = causesOf([
    scenario('late', { failed_step: STEP, failed_at: at(3) }),
    scenario('other', { reason: 'it did not end within 20 s', outcome: 'hang', failed_at: at(2) }),
    scenario('first', { failed_step: STEP, failed_at: at(1) }),
    scenario('passed', { outcome: 'pass' }),
  ])
  expect(causes.map(presentCause)).toEqual([
    '2 scenarios fail at the same step: VER-ADD-STATUS: adding an agent was expected to give HTTP 200, and gave HTTP 500 (first: first 3.0 at 12:00:01 UTC)',
    '1 scenario fails: it did not end within 20 s (other 3.0 at 12:00:02 UTC)',
  ])
})

test('values that differ only in ids and ports have one cause', () => {
  const values = [
    'agent 0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3 at https://127.0.0.1:4001 and port 4002',
    'agent 5b0e7c1f-93a4-4d26-8f7e-b1c2d3e4f506 at https://127.0.0.1:5001 and port 5002',
  ]
  const failures = values.map((value, n) => scenario(`s${n}`, { checks: [broken(value)] }))
  expect(causesOf(failures).map(({ failed }) => failed.length)).toEqual([2])
  expect(causesOf([...failures, scenario('x', { checks: [broken('HTTP 500')] })])).toHaveLength(2)
})

test('failures after an operation that was never served have one cause, whatever failed then', () => {
  const operation = 'PUT /agents/{agent_id}/activate of the registrar'
  const unserved = (answer: string) => ({ unserved: { operation, answer } })
  const causes = causesOf([
    scenario('step', { failed_step: STEP, failed_at: at(1), ...unserved('HTTP 400') }),
    scenario('check', { checks: [broken('absent')], failed_at: at(2), ...unserved('HTTP 403') }),
    scenario('hung', { outcome: 'hang', failed_at: at(3), ...unserved('HTTP 400') }),
    scenario('other', { checks: [broken('absent')], failed_at: at(4) }),
  ])
  expect(causes.map(presentCause)).toEqual([
    `3 scenarios fail at the same step: no request of this run for ${operation} was answered with success; the answer was HTTP 400 (first: step 3.0 at 12:00:01 UTC)`,
    '1 scenario fails: REQ: agent was expected to be none, and was absent (other 3.0 at 12:00:04 UTC)',
  ])
})

test('blocked scenarios belong to the cause that blocks them, under the same version only', () => {
  const blocker = { id: 'twin', version: '3.0', outcome: 'fail', reason: 'it failed' } as const
  const [cause, ...others] = causesOf([
    scenario('variant', { outcome: 'blocked', blocked_by: blocker }),
    scenario('old', { outcome: 'blocked', blocked_by: { ...blocker, version: '2.5' } }),
    scenario('twin', { failed_step: STEP }),
  ])
  expect(others).toEqual([])
  expect(cause?.blocked).toEqual([{ id: 'variant', version: '3.0' }])
  expect(cause && presentCause(cause)).toContain('(twin 3.0; 1 more is blocked)')
})
