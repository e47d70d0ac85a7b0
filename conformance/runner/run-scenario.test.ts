import { expect, test } from 'vitest'
import { BENCH } from '../selftest/outcomes/five-outcomes.ts'
import { Overslept } from './endings.ts'
import { runScenario } from './run-scenario.ts'
import type { Context, Scenario } from './scenario.ts'

const base: Omit<Scenario, 'run'> = {
  ...{ id: 'late', title: 'a scenario that must be in time', requirements: ['REQ'] },
  ...{ role: 'verifier', since: '3.0' },
}

/** A scenario whose harness is late the first times, and what came of it. */
async function lateFor(times: number, before: (context: Context) => void = () => undefined) {
  let begun = 0
  const run: Scenario['run'] = async (context) => {
    begun += 1
    before(context)
    if (begun <= times) throw new Overslept('this machine is too busy')
    context.check('REQ', 'one').of(1).is(1)
  }
  const trial = { scenario: { ...base, run }, version: '3.0' }
  const { outcome, reason, checks } = await runScenario(BENCH, trial, 'm')
  return { outcome, reason, checks: checks.length, begun }
}

test('a scenario whose harness was late twice is begun a third time', async () => {
  expect(await lateFor(2)).toEqual({ outcome: 'pass', reason: undefined, checks: 1, begun: 3 })
})

test('one whose harness is always late has no verdict', async () => {
  const reason = 'this machine is too busy'
  expect(await lateFor(9)).toEqual({ outcome: 'harness-fault', reason, checks: 0, begun: 3 })
})

test('what was seen to be wrong before is not tried anew', async () => {
  const wrong = await lateFor(2, ({ check }) => void check('REQ', 'zero').of(0).is(1))
  expect(wrong).toMatchObject({ outcome: 'fail', begun: 1 })
})

/** A scenario whose clock shows too much the first times; `before` is what else it checks. */
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
  const { outcome, transcript, checks } = await runScenario(BENCH, trial, 'm')
  const notes = transcript.flatMap((entry) => (entry.lane === 'note' ? [entry.text] : []))
  return { outcome, notes, begun, wrong: checks.filter(({ ok }) => !ok).length }
}

test('what a clock alone says is wrong is measured once more, and the transcript says why', async () => {
  const reason = 'REQ: milliseconds was expected to be at most 200, and was 900'
  expect(await slowFor(1)).toEqual({
    outcome: 'pass',
    notes: [`begun again, as a busy machine can be the reason: ${reason}`],
    begun: 2,
    wrong: 0,
  })
})

test('what a clock says three times is believed', async () => {
  expect(await slowFor(9)).toMatchObject({ outcome: 'fail', begun: 3 })
})

test('the attempt with the least against the subject is the one that counts', async () => {
  let begun = 0
  const wrongAlso = ({ check }: Context) => {
    begun += 1
    check('REQ', 'milliseconds of another wait')
      .measured(begun)
      .matches('2', (ms) => ms === 2)
  }
  expect(await slowFor(9, wrongAlso)).toMatchObject({ outcome: 'fail', wrong: 1, begun: 3 })
})

test('a clock does not excuse what is wrong beside it', async () => {
  const wrong = await slowFor(1, ({ check }) => void check('REQ', 'zero').of(0).is(1))
  expect(wrong).toMatchObject({ outcome: 'fail', begun: 1 })
})

test('what holds is measured once', async () => {
  expect(await slowFor(0)).toEqual({ outcome: 'pass', notes: [], begun: 1, wrong: 0 })
})
