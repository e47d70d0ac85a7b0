import { expect, test } from 'vitest'
import type { Scenario } from '../scenario.ts'
import { planTrials } from './plan.ts'

const scenario = (id: string, more: Partial<Scenario> = {}): Scenario => ({
  id,
  title: id,
  requirements: ['REQ'],
  role: 'verifier',
  since: '2.1',
  run: () => Promise.resolve(),
  ...more,
})

const options = {
  roles: ['verifier'],
  versions: ['2.5', '3.0'],
  capabilities: ['ima_log'],
  only: [],
}
const named = (trials: ReturnType<typeof planTrials>) =>
  trials.map(({ scenario: { id }, version }) => `${id}@${version}`)

test('a scenario runs under every listed version it applies to', () => {
  const scenarios = [
    scenario('a'),
    scenario('b', { since: '3.0' }),
    scenario('c', { until: '2.5' }),
  ]
  expect(named(planTrials(scenarios, options))).toEqual(['a@2.5', 'a@3.0', 'b@3.0', 'c@2.5'])
})

test('a twin comes before its variants, independent of their ids', () => {
  const scenarios = [scenario('a', { variantOf: 'z' }), scenario('z')]
  expect(named(planTrials(scenarios, { ...options, versions: ['2.5'] }))).toEqual([
    'z@2.5',
    'a@2.5',
  ])
})

test('a selected variant includes its twin', () => {
  const scenarios = [scenario('a', { variantOf: 'z' }), scenario('b'), scenario('z')]
  const trials = planTrials(scenarios, { ...options, versions: ['2.5'], only: ['a'] })
  expect(named(trials)).toEqual(['z@2.5', 'a@2.5'])
})

test('a prefix selects the scenarios whose ids begin with it', () => {
  const scenarios = [scenario('push.a'), scenario('push.b'), scenario('session.a')]
  const trials = planTrials(scenarios, { ...options, versions: ['2.5'], only: ['push.*'] })
  expect(named(trials)).toEqual(['push.a@2.5', 'push.b@2.5'])
})

test('a scenario of a role that the target lacks is not applicable, with the reason', () => {
  const [trial] = planTrials([scenario('a', { role: 'registrar' })], options)
  expect(trial?.excluded?.reason).toBe('the target file names no registrar')
})

test('a scenario that needs a missing capability is not applicable, with its name', () => {
  const [trial] = planTrials([scenario('a', { needs: ['ima_log', 'uefi_log'] })], options)
  expect(trial?.excluded).toEqual({
    outcome: 'not-applicable',
    reason: 'the target file does not list the capability uefi_log',
  })
})

test('a scenario marked perMajor runs under the newest tested minor version of each major version', () => {
  const scenarios = [
    scenario('a', { perMajor: true }),
    scenario('b', { perMajor: true, until: '2.3' }),
  ]
  const versions = ['1.0', '3.0', '2.5', '2.1', '2.3', '2.4']
  expect(named(planTrials(scenarios, { ...options, versions }))).toEqual([
    'a@2.5',
    'a@3.0',
    'b@2.3',
  ])
  const narrowed = planTrials(scenarios, { ...options, versions, version: ['2.1', '2.4'] })
  expect(named(narrowed)).toEqual(['a@2.4', 'b@2.1'])
})

test('an excluded scenario is left out with its variants, and no other one', () => {
  const scenarios = [
    scenario('a.twin'),
    scenario('a.variant', { variantOf: 'a.twin' }),
    scenario('a.third', { variantOf: 'a.variant' }),
    scenario('b.one'),
    scenario('b.two'),
  ]
  const left = (...exclude: readonly string[]) =>
    named(planTrials(scenarios, { ...options, versions: ['2.5'], exclude }))
  expect(left('a.twin')).toEqual(['b.one@2.5', 'b.two@2.5'])
  expect(left('a.third', 'b.*')).toEqual(['a.twin@2.5', 'a.variant@2.5'])
  expect(left('b.one').length).toBe(4)
  expect(left()).toHaveLength(5)
})

test('an excluded twin of a selected scenario leaves that out', () => {
  const scenarios = [scenario('a', { variantOf: 'z' }), scenario('z')]
  const narrowed = { ...options, versions: ['2.5'], only: ['a'] }
  expect(named(planTrials(scenarios, narrowed))).toEqual(['z@2.5', 'a@2.5'])
  expect(planTrials(scenarios, { ...narrowed, exclude: ['z'] })).toEqual([])
})

const FAMILIES = ['f', 'g', 'h', 'i', 'j'].flatMap((twin, at) => [
  scenario(twin),
  ...Array.from({ length: 4 * (5 - at) }, (_, number) =>
    scenario(`${twin}.${number}`, { variantOf: twin }),
  ),
])

const sharded = (part: number, of: number) =>
  named(planTrials(FAMILIES, { ...options, shard: [part, of] }))

test('shards have each scenario once, and every variant with its twin', () => {
  const parts = [1, 2, 3].map((part) => sharded(part, 3))
  expect(parts.flat().toSorted()).toEqual(named(planTrials(FAMILIES, options)).toSorted())
  for (const part of parts)
    for (const name of part) expect(part).toContain(name.replace(/^(.)\.\d+/, '$1'))
})

test('shards are about as large as each other', () => {
  const sizes = [1, 2, 3].map((part) => sharded(part, 3).length)
  expect(new Set(sizes)).toEqual(new Set([42, 44]))
})
