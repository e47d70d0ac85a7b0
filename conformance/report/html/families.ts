import { groupBy } from '../diff/group-by.ts'
import type { ScenarioResult } from '../result.ts'

/** Scenarios that are shown each by itself, and those that are folded with their like. */
export interface Folded {
  readonly single: readonly ScenarioResult[]
  readonly families: readonly Family[]
}

/** Many scenarios whose ids begin alike, such as one for each variant of a fixture. */
export interface Family {
  /** What their ids begin with, without the last dot. */
  readonly name: string
  readonly scenarios: readonly ScenarioResult[]
}

/** More of one kind than a reader wants to see in a row. */
const MANY = 16

/** Folds scenarios whose ids share their first two words, where there are many of them. */
export function foldFamilies(scenarios: readonly ScenarioResult[]): Folded {
  const byName = groupBy(scenarios, ({ id }) => id.split('.').slice(0, 2).join('.'))
  const families = [...byName]
    .filter(([, own]) => new Set(own.map(({ id }) => id)).size >= MANY)
    .map(([name, own]) => ({ name, scenarios: own }))
  const folded = new Set(families.flatMap((family) => family.scenarios))
  return { single: scenarios.filter((one) => !folded.has(one)), families }
}
