import type { ScenarioResult } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { HOOKS_OF_CAPABILITIES } from '../../target/deployment/hooks.ts'
import {
  type AllowedDeviations,
  appliesTo,
  isExpired,
  type Waiver,
} from '../../target/deviations.ts'
import { TESTED } from './needed-evidence.ts'

/**
 * Waivers that are out of date: expired ones, and ones whose scenario ran and whose check held or was not made. A
 * waiver without a failing check would hide the next defect.
 */
export function staleWaivers(
  deviations: AllowedDeviations,
  results: readonly ScenarioResult[],
): readonly string[] {
  return deviations.waivers.flatMap((waiver) => {
    const named = `the waiver of ${waiver.requirement} in ${waiver.scenario}`
    if (isExpired(waiver, deviations)) return [`${named} expired on ${waiver.expires}`]
    return isUnused(waiver, results)
      ? [`${named} is stale: the check holds, remove the waiver`]
      : []
  })
}

function isUnused(waiver: Waiver, results: readonly ScenarioResult[]): boolean {
  const runs = results.filter(({ id, outcome }) => id === waiver.scenario && TESTED.has(outcome))
  if (runs.length === 0) return false
  return !runs.some(({ checks }) => checks.some((check) => !check.ok && appliesTo(waiver, check)))
}

/** Of the claimed capabilities, those that one of the scenarios needs. */
export function neededOf(
  claimed: readonly string[],
  scenarios: readonly Pick<Scenario, 'needs'>[],
): readonly string[] {
  const needed = new Set(scenarios.flatMap(({ needs = [] }) => needs))
  return claimed.filter((word) => needed.has(word))
}

/**
 * Capabilities that the target file claims and no check of this run exercised, without those that only enable hooks.
 */
export function unexercisedCapabilities(
  claimed: readonly string[],
  scenarios: readonly Scenario[],
  results: readonly ScenarioResult[],
): readonly string[] {
  const ran = new Set(results.filter(({ outcome }) => TESTED.has(outcome)).map(({ id }) => id))
  const exercised = new Set(
    scenarios.filter(({ id }) => ran.has(id)).flatMap(({ needs = [] }) => needs),
  )
  return claimed
    .filter((word) => !exercised.has(word) && !HOOKS_OF_CAPABILITIES.has(word))
    .map((word) => `the target file claims ${word}, and no check of this run exercised it`)
}
