import { groupBy } from '../group-by.ts'
import type { ScenarioResult } from '../result.ts'

/** Scenarios that are shown one by one, and those that are folded into families. */
interface Folded {
  readonly single: readonly ScenarioResult[]
  readonly families: readonly Family[]
}

/** Many scenarios with a common prefix, such as one per variant of a fixture. */
export interface Family {
  /** The common prefix of their ids, without the last dot. */
  readonly name: string
  readonly scenarios: readonly ScenarioResult[]
}

/** Larger groups are folded. */
const MANY = 16

/** Folds scenarios whose ids share their first two words into families, if there are many. */
export function foldFamilies(scenarios: readonly ScenarioResult[]): Folded {
  const byName = groupBy(scenarios, ({ id }) => id.split('.').slice(0, 2).join('.'))
  const families = [...byName]
    .filter(([, own]) => new Set(own.map(({ id }) => id)).size >= MANY)
    .map(([name, own]) => ({ name, scenarios: own }))
  const folded = new Set(families.flatMap((family) => family.scenarios))
  return { single: scenarios.filter((one) => !folded.has(one)), families }
}
