import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { trackRun } from './run-situation.ts'

const PLAIN = picocolors.createColors(false)
const PLAN = [
  ...Array.from({ length: 1200 }, (_, at) => ({ id: `push.one-${at}` })),
  ...Array.from({ length: 40 }, (_, at) => ({ id: `agents.one-${at}` })),
]

/** A run whose clock the test moves, in seconds. */
const tracked = () => {
  let seconds = 0
  const run = trackRun(() => seconds * 1000, PLAIN)
  const pass = (from: number, to: number): void => {
    for (const { id } of PLAN.slice(from, to)) run.finished({ id, outcome: 'pass' })
  }
  const at = (now: number): void => {
    seconds = now
  }
  return { run, pass, at }
}

test('during the set-up it says the last step', () => {
  const { run, at } = tracked()
  at(3)
  expect(run.line()).toBe('setting up: starting, 3 s')
  run.setup('verifier\x1b[1m started')
  at(65.9)
  expect(run.line()).toBe(String.raw`setting up: verifier\x1b[1m started, 1 min 05 s`)
  expect(run.lines?.(24)).toEqual([run.line()])
})

test('a line says counts, elapsed and remaining time from the first scenario on', () => {
  const { run, pass, at } = tracked()
  at(100)
  run.began(PLAN)
  pass(0, 310)
  at(130)
  expect(run.line()).toBe('310 of 1,240 scenarios, 30 s, about 1 min 30 s left')
})

test('failed, hung and blocked scenarios are counted as failed', () => {
  const { run } = tracked()
  run.began(PLAN)
  for (const outcome of ['fail', 'hang', 'blocked', 'warn', 'skipped', 'not-applicable'] as const)
    run.finished({ id: 'push.one-1', outcome })
  expect(run.line()).toBe('6 of 1,240 scenarios, 3 failed, 0 s')
})

test('a terminal has a line for each area, their sum and the times', () => {
  const { run, pass, at } = tracked()
  run.began(PLAN)
  pass(0, 600)
  pass(1200, 1240)
  run.finished({ id: 'push.one-1', outcome: 'fail' })
  at(60)
  expect(run.lines?.(24)).toEqual([
    'agents     40 of    40',
    'push      601 of 1,200  1 failed',
    'all       641 of 1,240  1 failed',
    '1 min 00 s, about 1 min 00 s left',
  ])
})

test('no line is wider than 39 columns', () => {
  const { run, pass, at } = tracked()
  run.began(PLAN)
  pass(0, 600)
  run.finished({ id: 'push.one-1', outcome: 'fail' })
  at(599)
  expect(Math.max(...(run.lines?.(24) ?? []).map((line) => line.length))).toBeLessThan(40)
})

test('a low terminal shows the areas that are not done, then the sum alone', () => {
  const { run, pass } = tracked()
  run.began(PLAN)
  pass(1200, 1240)
  expect(run.lines?.(3)).toEqual([
    'push        0 of 1,200',
    'all        40 of 1,240',
    '0 s, about 5 s left',
  ])
  expect(run.lines?.(2)?.[0]).toMatch(/^all/)
})

test('a scenario counts one for itself and half for each second that it is known to take', () => {
  let seconds = 0
  const run = trackRun(() => seconds * 1000, PLAIN)
  run.began([{ id: 'a.long', seconds: 16 }, { id: 'a.short' }])
  seconds = 9
  run.finished({ id: 'a.long', outcome: 'pass' })
  expect(run.line()).toBe('1 of 2 scenarios, 9 s, about 5 s left')
  seconds = 10
  run.finished({ id: 'a.short', outcome: 'pass' })
  expect(run.line()).toBe('2 of 2 scenarios, 10 s, ending the deployment and writing the reports')
})
