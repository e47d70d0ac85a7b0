import type { ScenarioResult } from '../../report/result.ts'
import { keyOf } from './key-of.ts'
import type { Covered } from './map-coverage.ts'

/** A scenario that was run against a mutant, with what came of it. */
export interface Found {
  readonly covered: Covered
  readonly result: ScenarioResult
}

/** Requirements with a failed check or step, each with the scenarios of it; of a scenario without one, its outcome. */
export function groupByRequirement(
  found: readonly Found[],
): Readonly<Record<string, readonly string[]>> {
  const red = new Map<string, Set<string>>()
  for (const { covered, result } of found) {
    const rows = requirementsOf({ covered, result })
    for (const row of rows.length === 0 ? [result.outcome] : rows)
      red.set(row, (red.get(row) ?? new Set()).add(keyOf(covered.trial)))
  }
  return Object.fromEntries([...red].map(([row, ids]) => [row, [...ids]]))
}

export const isRed = ({ result }: Found) => FAILED.has(result.outcome)

const FAILED: ReadonlySet<string> = new Set(['fail', 'hang', 'harness-fault'])

/** The requirements whose checks failed, in the order of the checks, and that of the step that failed. */
function requirementsOf({ result }: Found): readonly string[] {
  const { requirement: ofStep } = result.failed_step ?? {}
  const red = result.checks.flatMap(({ ok, requirement }) => (ok ? [] : [requirement]))
  return ofStep === undefined ? red : [...red, ofStep]
}

/** Whether one of these requirements is red. */
export function isAt(found: Found, rows: readonly string[]): boolean {
  return requirementsOf(found).some((requirement) => rows.includes(requirement))
}

/** The scenario, and its red requirement: one of these if possible, otherwise the first; without one, the outcome. */
export function describe(
  found: Found,
  rows: readonly string[] = [],
): { readonly by: string; readonly requirement: string } {
  const red = requirementsOf(found)
  const requirement = red.find((one) => rows.includes(one)) ?? red[0] ?? found.result.outcome
  return { by: keyOf(found.covered.trial), requirement }
}
