import type { ScenarioResult } from '../report/result.ts'

/**
 * One outcome of the runner as vitest knows it: a pass passes, what was not run or had nothing to judge is
 * skipped with its reason, everything else fails. The runner is the law; this is a translation.
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
