import {
  isCheckedIn,
  type ProfileRow,
} from '../../../conformance/catalogue/certification/profile-scope.ts'
import type { RunResult, ScenarioResult } from '../../../conformance/report/result.ts'
import type { Trial } from '../../../conformance/runner/plan.ts'
import type { ProfileCatalogue } from './profile-catalogue.ts'
import type { KitRun, Refusal } from './refusal.ts'

/** A row of the profile that a certificate does not cover. */
export interface LeftRow {
  readonly row: string
  readonly why: string
}

export interface Coverage {
  readonly covered: readonly string[]
  readonly left: readonly LeftRow[]
}

/** The rows of the profile that the checks of a run cover, and those that cannot arise at the target. */
export function coverRows(result: RunResult, catalogue: ProfileCatalogue): Coverage {
  const parts = placesOf(result, catalogue)
  return {
    covered: catalogue.rows.filter((row) => lacking(row, parts).length === 0).map(({ id }) => id),
    left: catalogue.rows.flatMap((row) => {
      const why = lacking(row, parts).map((id) => whyLeft(row, id, parts))
      const [first] = why
      return first === undefined || why.includes(undefined) ? [] : [{ row: row.id, why: first }]
    }),
  }
}

/** One refusal for each row that a run should have checked, and did not. */
export function refuseRows({ name, result }: KitRun, catalogue: ProfileCatalogue) {
  const { covered, left } = coverRows(result, catalogue)
  const known = new Set([...covered, ...left.map(({ row }) => row)])
  return catalogue.rows
    .filter(({ id }) => !known.has(id))
    .map(({ id }): Refusal => {
      return {
        says: `${name}: no check covers the row ${id} of the profile`,
        next: `assay explain ${id} names its scenarios; the report says why they made no check`,
      }
    })
}

interface Place {
  readonly trial: Trial
  readonly result: ScenarioResult | undefined
}

interface Places {
  readonly places: readonly Place[]
  readonly checked: ReadonlySet<string>
  readonly ranges: ReadonlyMap<string, ProfileCatalogue['requirements'][number]>
}

function placesOf(result: RunResult, catalogue: ProfileCatalogue): Places {
  const results = new Map(result.scenarios.map((one) => [`${one.id}@${one.version}`, one]))
  return {
    places: catalogue.trialsFor(result.target).map((trial) => ({
      trial,
      result: results.get(`${trial.scenario.id}@${trial.version}`),
    })),
    checked: new Set(
      result.scenarios.flatMap(({ checks }) => checks.map((one) => one.requirement)),
    ),
    ranges: new Map(catalogue.requirements.map((row) => [row.id, row])),
  }
}

function lacking({ checkers }: ProfileRow, { checked }: Places): readonly string[] {
  return checkers.filter((id) => !checked.has(id))
}

/**
 * Why no scenario could check a row; undefined if one could have. Whether a security row can be checked must follow from the
 * target file, and not from what the subject does.
 */
function whyLeft(
  { security }: ProfileRow,
  id: string,
  { places, ranges }: Places,
): string | undefined {
  const own = places.filter(({ trial: { scenario, version } }) => {
    const row = ranges.get(id)
    return row && scenario.requirements.includes(id) && isCheckedIn(version, row, scenario)
  })
  const reasons = own.map(({ trial, result }) => {
    if (trial.excluded !== undefined) return trial.excluded.reason
    return result?.outcome === 'not-applicable' && !security ? result.reason : undefined
  })
  if (reasons.includes(undefined)) return undefined
  return reasons[0] ?? 'the target file lists no version of it'
}
