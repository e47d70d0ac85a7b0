import type { Cause, RunResult, ScenarioResult } from './result.ts'
import { counted, thousands } from './visible.ts'

/** What the scenarios of a cause have in common: `12 scenarios fail at the same step`. */
export const causeHead = ({ failed, step }: Cause): string => {
  if (failed.length === 1) return step ? '1 scenario fails at a step' : '1 scenario fails'
  return `${thousands(failed.length)} scenarios fail ${step ? 'at the same step' : 'in the same way'}`
}

/** The first failure, and how many scenarios are blocked: `first: push.first 3.0 at 12:00:01 UTC; 3 more are blocked`. */
export const causeTail = ({ failed, first, blocked }: Cause): string => {
  const time = first.at === undefined ? '' : ` at ${first.at.slice(11, 19)} UTC`
  const name = `${failed.length > 1 ? 'first: ' : ''}${first.id} ${first.version}${time}`
  if (blocked.length === 0) return name
  return `${name}; ${thousands(blocked.length)} more ${blocked.length === 1 ? 'is' : 'are'} blocked`
}

/** One sentence about a cause. */
export const presentCause = (cause: Cause): string =>
  `${causeHead(cause)}: ${cause.says} (${causeTail(cause)})`

/** How many causes there are of how many failures; undefined without a failure. */
export const causesTitle = ({ causes }: Pick<RunResult, 'causes'>): string | undefined => {
  if (causes.length === 0) return undefined
  const count = causes.reduce((sum, { failed, blocked }) => sum + failed.length + blocked.length, 0)
  return `${counted(causes.length, 'cause')} of ${counted(count, 'failure')}`
}

const keyOf = ({ id, version }: Pick<ScenarioResult, 'id' | 'version'>): string =>
  `${id}@${version}`

/** Finds the cause of a scenario that failed or is blocked, with its number from 1 on. */
export const causeFinder = ({ causes }: Pick<RunResult, 'causes'>) => {
  const known = new Map(
    causes.flatMap((cause, at) =>
      [...cause.failed, ...cause.blocked].map((one) => [keyOf(one), { cause, number: at + 1 }]),
    ),
  )
  return (scenario: Pick<ScenarioResult, 'id' | 'version'>) => known.get(keyOf(scenario))
}

/** Failures of one cause that a list shows, and blocked scenarios; the cause stands for the others. */
const SHOWN = 3

/** The scenarios without those that only repeat a cause that has been shown often enough. */
export const withoutRepeated = (
  scenarios: readonly ScenarioResult[],
  { causes }: Pick<RunResult, 'causes'>,
): readonly ScenarioResult[] => {
  const repeated = new Set(
    causes
      .flatMap(({ failed, blocked }) => [...failed.slice(SHOWN), ...blocked.slice(SHOWN)])
      .map(keyOf),
  )
  return scenarios.filter((one) => !repeated.has(keyOf(one)))
}
