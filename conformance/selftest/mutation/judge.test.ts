import { expect, test } from 'vitest'
import type { Outcome, ScenarioResult } from '../../report/result.ts'
import type { Trial } from '../../runner/plan.ts'
import { Judge, type Mutant, Spoilt } from './judge.ts'
import type { CoverageMap } from './map-coverage.ts'
import type { Activation, Subject } from './subject.ts'

const MUTANT: Mutant = { active: '7', key: 'k', file: 'reference/evidence/quote/quote.ts' }

/** The outcome of a scenario while a mutant is active, or while none is. */
type Outcomes = (scenario: string, mutant: string | undefined) => Outcome | 'does not start'

function trialOf(id: string, requirements: readonly string[] = ['ROW']): Trial {
  const scenario = { id, title: id, requirements, role: 'verifier', since: '3.0' } as const
  return { version: '3.0', scenario: { ...scenario, run: async () => undefined } }
}

function mapOf(
  reached: Readonly<Record<string, readonly string[]>>,
  part: Partial<CoverageMap> = {},
) {
  const covered = Object.entries(reached).map(([id, mutants]) => ({
    ...{ trial: trialOf(id), ms: 1, reached: new Set(mutants) },
  }))
  return { covered, atLoad: new Set<string>(), atStart: new Set<string>(), ...part }
}

function subjectOf(outcomes: Outcomes) {
  const activations: (Activation | null)[] = []
  const ran: string[] = []
  let active: string | undefined
  const subject: Subject = {
    trials: [],
    async activate(mutant) {
      activations.push(mutant)
      active = mutant?.active
      if (outcomes('', active) === 'does not start') throw new Error('it did not listen')
    },
    async run({ scenario: { id } }) {
      ran.push(id)
      const outcome = outcomes(id, active)
      const check = { requirement: 'ROW', ok: outcome === 'pass' }
      return { id, outcome, checks: [check] } as unknown as ScenarioResult
    },
    cover: async () => Promise.reject(new Error('not needed')),
    coverStart: async () => ({ atLoad: [], atStart: [] }),
    close: async () => undefined,
  }
  return { subject, activations, ran }
}

const failsWith =
  (id: string): Outcomes =>
  (scenario, mutant) =>
    scenario === id && mutant !== undefined ? 'fail' : 'pass'

function judgeOf(map: CoverageMap): Judge {
  return new Judge(map, [MUTANT], 10)
}

test('a mutant is caught by a scenario that reaches it, fails, and passes without it', async () => {
  const judge = judgeOf(mapOf({ one: ['7'], other: ['8'] }))
  const { subject, activations, ran } = subjectOf(failsWith('one'))
  expect(await judge.judge(subject, MUTANT)).toEqual({
    ...{ key: 'k', outcome: 'caught', by: 'one@3.0', requirement: 'ROW', ran: 1 },
  })
  expect(activations).toEqual([{ active: '7', atLoad: false }, null])
  expect(ran).toEqual(['one', 'one'])
})

test('scenarios that do not reach a mutant do not run', async () => {
  const judge = judgeOf(mapOf({ one: ['7'], other: ['8'] }))
  const { subject, ran } = subjectOf(failsWith('other'))
  expect(await judge.judge(subject, MUTANT)).toEqual({ key: 'k', outcome: 'survived', ran: 1 })
  expect(ran).toEqual(['one'])
})

test('a mutant that no scenario reaches is not reached', async () => {
  const judge = judgeOf(mapOf({ other: ['8'] }))
  const { subject, ran } = subjectOf(failsWith('other'))
  expect(await judge.judge(subject, MUTANT)).toEqual({ key: 'k', outcome: 'not reached', ran: 0 })
  expect(ran).toEqual([])
})

test('a scenario that fails without the mutant too proves nothing: the subject is spoilt', async () => {
  const judge = judgeOf(mapOf({ one: ['7'] }))
  const { subject } = subjectOf(() => 'fail')
  await expect(judge.judge(subject, MUTANT)).rejects.toThrow(Spoilt)
})

test('a scenario that is left out does not run again', async () => {
  const map = mapOf({ one: ['7'] })
  const judge = judgeOf(map)
  for (const covered of map.covered) judge.exclude(covered)
  const { subject } = subjectOf(() => 'fail')
  expect(await judge.judge(subject, MUTANT)).toMatchObject({ outcome: 'not reached' })
})

test('a warning does not catch a mutant', async () => {
  const judge = judgeOf(mapOf({ one: ['7'] }))
  const { subject } = subjectOf((_, mutant) => (mutant === undefined ? 'pass' : 'warn'))
  expect(await judge.judge(subject, MUTANT)).toMatchObject({ outcome: 'warned', by: 'one@3.0' })
})

test('a mutant whose servers do not start is caught', async () => {
  const judge = judgeOf(mapOf({ one: ['7'] }))
  const { subject } = subjectOf(() => 'does not start')
  expect(await judge.judge(subject, MUTANT)).toMatchObject({ outcome: 'caught', by: 'start' })
})

test('code of a constant is judged in a new process, by the scenarios of its file', async () => {
  const part = { atLoad: new Set(['7']), atStart: new Set(['7']) }
  const { subject, activations } = subjectOf(failsWith('near'))
  const other: Mutant = { ...MUTANT, active: '9', key: 'other' }
  const judge = new Judge(mapOf({ near: ['9'], far: ['8'] }, part), [MUTANT, other], 10)
  expect(await judge.judge(subject, MUTANT)).toMatchObject({ outcome: 'caught', by: 'near@3.0' })
  expect(activations[0]).toEqual({ active: '7', atLoad: true })
})

test('a mutant of a person is judged first by the scenarios of its requirements', async () => {
  const map = mapOf({ a: ['7'], b: ['7'], c: ['7'] })
  const covered = map.covered.map((one) =>
    one.trial.scenario.id === 'c' ? { ...one, trial: trialOf('c', ['WANTED']) } : one,
  )
  const { subject, ran } = subjectOf(() => 'pass')
  await judgeOf({ ...map, covered }).judge(subject, { ...MUTANT, rows: ['WANTED'] })
  expect(ran[0]).toBe('c')
})

test('a scenario of a named requirement runs although no coverage of it was reported', async () => {
  const { subject } = subjectOf(failsWith('b'))
  const judgement = await judgeOf(mapOf({ a: ['7'], b: [] })).judge(subject, {
    ...MUTANT,
    rows: ['ROW'],
  })
  expect(judgement).toMatchObject({ outcome: 'caught', by: 'b@3.0' })
})

test('a scenario that found a mutant before runs first', async () => {
  const { subject } = subjectOf(failsWith('c'))
  const judge = new Judge(mapOf({ a: ['7'], b: ['7'], c: ['7'] }), [MUTANT], 10, { k: 'c@3.0' })
  expect(await judge.judge(subject, MUTANT)).toMatchObject({ by: 'c@3.0', ran: 1 })
})

test('the requirement that fewer scenarios check goes first', async () => {
  const map = mapOf({ a: ['7'], b: ['7'], c: ['7'] })
  const requirementsOf = (id: string) => (id === 'c' ? ['RARE'] : ['COMMON'])
  const covered = map.covered.map((one) => ({
    ...one,
    trial: trialOf(one.trial.scenario.id, requirementsOf(one.trial.scenario.id)),
  }))
  const { subject, ran } = subjectOf(() => 'pass')
  await judgeOf({ ...map, covered }).judge(subject, { ...MUTANT, rows: ['COMMON', 'RARE'] })
  expect(ran[0]).toBe('c')
})

const OTHER = { requirement: 'OTHER', ok: false }
const WANTED = { requirement: 'WANTED', ok: false }

test.each([
  ['a later check', { checks: [OTHER, WANTED] }],
  ['a step', { checks: [OTHER], failed_step: WANTED }],
])('a mutant whose row is red at %s of a scenario is caught at its row', async (_, failed) => {
  const { subject, activations } = subjectOf(() => 'pass')
  const run = async ({ scenario: { id } }: Trial) => {
    const result =
      activations.at(-1) === null ? { outcome: 'pass', checks: [] } : { outcome: 'fail', ...failed }
    return { id, ...result } as unknown as ScenarioResult
  }
  const judge = judgeOf(mapOf({ one: ['7'], other: ['7'] }))
  const judgeAt = (row: string) => judge.judge({ ...subject, run }, { ...MUTANT, rows: [row] })
  expect(await judgeAt('WANTED')).toMatchObject({ by: 'one@3.0', requirement: 'WANTED', ran: 1 })
  expect(await judgeAt('ELSEWHERE')).toMatchObject({ requirement: 'OTHER' })
})
