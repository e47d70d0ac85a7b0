import type { Trial } from '../../runner/plan.ts'

/** The name of a scenario under a version: `session.key@3.0`. */
export function keyOf({ scenario, version }: Trial): string {
  return `${scenario.id}@${version}`
}
