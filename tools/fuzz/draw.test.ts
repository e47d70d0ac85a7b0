import { expect, test } from 'vitest'
import { baselineMachine, baselineOf } from './baseline.ts'
import { drawRecipe } from './draw.ts'
import { applyAt, encodeEvidence, mutationSteps, UnknownMutation } from './encode.ts'
import { ALL_EVIDENCE_MUTATIONS } from './mutations/catalogue.ts'
import { EVENTLOG_MUTATIONS } from './mutations/eventlog.ts'
import { REGISTRATION_MUTATIONS } from './mutations/registration.ts'
import type { Recipe } from './stages.ts'

/** Without those for which an RSA key has to be found. */
const QUICK = ALL_EVIDENCE_MUTATIONS.filter(({ id }) => !id.startsWith('signer.'))
const RUNS = Array.from({ length: 300 }, (_, run) => run)
const draw = (seed: string) =>
  RUNS.map((run) => drawRecipe(seed, 'way', run, ALL_EVIDENCE_MUTATIONS))

test('the same seed gives the same recipes, and another seed others', () => {
  expect(draw('1')).toEqual(draw('1'))
  expect(draw('1')).not.toEqual(draw('2'))
})

test('a recipe mutates each thing once, and some recipes are honest', () => {
  const subjects = draw('1').map((recipe) => recipe.map(({ mutation }) => mutation.split('.')[0]))
  expect(subjects.filter((all) => new Set(all).size !== all.length)).toEqual([])
  expect(subjects.filter((all) => all.length === 0).length).toBe(RUNS.length / 20)
  expect(subjects.some((all) => all.length === 3)).toBe(true)
})

test('any steps can be put together, and give the same evidence each time', () => {
  const baseline = baselineMachine()
  const make = () =>
    RUNS.map((run) => drawRecipe('3', 'way', run, QUICK))
      .slice(0, 40)
      .map((recipe) => encodeEvidence(baseline, mutationSteps(recipe, QUICK)))
  expect(make()).toEqual(make())
})

test('any two mutations of a registration can be put together, a member that the first leaves out included', () => {
  const honest = {
    aik_tpm: 'AAAA',
    ek_tpm: 'AAAA',
    mtls_cert: 'disabled',
    ip: '127.0.0.1',
    port: 1,
  }
  const draws = Array.from({ length: 40 }, (_, draw) => String(draw))
  const made = REGISTRATION_MUTATIONS.flatMap(({ id: first }) =>
    REGISTRATION_MUTATIONS.flatMap(({ id: second }) =>
      draws.map((draw) => {
        const recipe = [first, second].map((mutation) => ({ mutation, draw }))
        const steps = mutationSteps(recipe, REGISTRATION_MUTATIONS)
        return applyAt('body', JSON.stringify(applyAt('members', honest, steps)), steps)
      }),
    ),
  )
  expect(made).toHaveLength(REGISTRATION_MUTATIONS.length ** 2 * draws.length)
})

test('a named fault of a firmware log finds its events, or leaves them as another mutation has left them', () => {
  const cut = { mutation: 'firmware.data', draw: '' }
  const named = EVENTLOG_MUTATIONS.filter(({ id }) => id.startsWith('boot.pk'))
  const baseline = baselineOf('eventlog')
  const recipes = Array.from({ length: 400 }, (_, draw) => [
    { ...cut, draw: String(draw) },
    ...named.map(({ id }) => ({ mutation: id, draw: '' })),
  ])
  const machine = (recipe: Recipe) =>
    applyAt('machine', baseline, mutationSteps(recipe, EVENTLOG_MUTATIONS))
  expect(recipes.map(machine).every(({ boot }) => (boot?.events.length ?? 0) > 0)).toBe(true)
})

test('a recipe of another catalogue is refused by the name of its mutation', () => {
  const make = () => mutationSteps([{ mutation: 'quote.never', draw: '1' }], ALL_EVIDENCE_MUTATIONS)
  expect(make).toThrow(UnknownMutation)
  expect(make).toThrow('there is no mutation called quote.never')
})
