import { expect } from 'vitest'
import type { CheckResult, ScenarioResult } from '../../../conformance/report/result.ts'
import type { KitFiles } from '../kit/verify-kit.ts'
import {
  type SampleKit,
  sampleKit,
  textOf,
  withStatement,
  withSums,
  withText,
} from './sample-kit.ts'
import { type SampleRun, sampleRun } from './sample-runs.ts'

export type Tamper = (kit: KitFiles) => KitFiles | Promise<KitFiles>

/** A change of one file, with and without SHA256SUMS that fit. */
export const edit =
  (path: string, from: string | RegExp, to: string): Tamper =>
  (kit) => {
    const edited = withText(kit, path, (text) => text.replace(from, to))
    expect(textOf(edited, path)).not.toBe(textOf(kit, path))
    return withSums(edited)
  }

/** Another statement, signed by the runner. */
export const restate =
  (from: string | RegExp, to: string): Tamper =>
  (kit) =>
    withStatement(kit, (text) => {
      expect(text).toMatch(from)
      return text.replace(from, to)
    })

/** A kit that the runner made of other runs, and signed. */
export const remade =
  (given: SampleKit): Tamper =>
  () =>
    sampleKit(given)

/** The second run is another one. */
export const second = (given: SampleRun): Tamper =>
  remade({ runs: [sampleRun(1), sampleRun(2, given), sampleRun(3)] })

/** The result of the second run is edited, and the kit signed. */
export const secondEdited = (change: (text: string) => string): Tamper => {
  const text = JSON.stringify(sampleRun(2))
  const changed = change(text)
  expect(changed).not.toBe(text)
  return remade({ runs: [sampleRun(1), JSON.parse(changed), sampleRun(3)] })
}

export type Change = (result: ScenarioResult) => ScenarioResult

/** One scenario of the second run is another one, and the run is judged with it. */
export const secondWith = (id: string, change: Change): Tamper =>
  second({
    scenarios: (all) =>
      all.map((one) => (one.id === id && one.version === '3.0' ? change(one) : one)),
  })

export const withCheck =
  (change: (check: CheckResult) => CheckResult): Change =>
  (result) => ({ ...result, checks: result.checks.map(change) })

export const failed = withCheck((check) => ({ ...check, ok: false, received: '500' }))
export const RUN = 'runs/2/result.json'
export const NA = { outcome: 'not-applicable', reason: 'no', checks: [] } as const

/** What was tampered with, how, and the sentence that refuses it. */
export type Tampering = readonly [what: string, tamper: Tamper, says: string]

/** Every run is of a target that lacks something. */
export function lacking(target: SampleRun['target']): Tamper {
  return remade({ runs: [1, 2, 3].map((number) => sampleRun(number, target ? { target } : {})) })
}
