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
