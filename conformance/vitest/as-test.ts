import type { ScenarioResult } from '../report/result.ts'

/**
 * Maps an outcome of the runner to vitest: a pass passes, a scenario that did not run or made no check is skipped
 * with its reason, every other outcome fails. The runner decides outcomes; this only translates.
 */
export function asTest(result: ScenarioResult, skip: (reason: string) => void): void {
  const { outcome, reason = '' } = result
  if (outcome === 'pass') return
  if (['not-applicable', 'skipped', 'observed'].includes(outcome)) {
    skip(reason)
    return
  }
  throw new Error(`${outcome}: ${reason}\nrepeat with: ${result.repeat}`)
}
