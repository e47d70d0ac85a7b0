import { groupBy } from '../group-by.ts'
import { compareVersions } from '../outcomes.ts'
import type { RequirementResult } from '../requirement-result.ts'
import {
  type CheckResult,
  ROLES,
  type Role,
  type RunResult,
  type ScenarioResult,
} from '../result.ts'

export interface RoleGroup {
  readonly role: Role
  readonly scenarios: readonly ScenarioResult[]
}

/** A check and the scenario that made it. */
export interface ScenarioCheck {
  readonly scenario: ScenarioResult
  readonly check: CheckResult
}

/** Lookups that the parts of the page share. */
export interface Register {
  /** API versions in ascending order: those of the target and those under which scenarios ran. */
  readonly versions: readonly string[]
  readonly roles: readonly RoleGroup[]
  scenario(id: string, version: string): ScenarioResult | undefined
  requirement(id: string): RequirementResult | undefined
  /** The checks of a requirement under a version, in the order of the run. */
  scenarioChecks(requirement: string, version: string): readonly ScenarioCheck[]
}

const keyOf = (id: string, version: string): string => JSON.stringify([id, version])

/** Indexes a run for the page. */
export const createRegister = (result: RunResult): Register => {
  const { scenarios, requirements, target } = result
  const byKey = new Map(scenarios.map((one) => [keyOf(one.id, one.version), one]))
  const byId = new Map(requirements.map((row) => [row.id, row]))
  const scenarioChecks = groupBy(
    scenarios.flatMap((scenario) => scenario.checks.map((check) => ({ scenario, check }))),
    ({ scenario, check }) => keyOf(check.requirement, scenario.version),
  )
  const versions = new Set([...target.versions, ...scenarios.map(({ version }) => version)])
  return {
    versions: [...versions].toSorted(compareVersions),
    roles: ROLES.map((role) => ({
      role,
      scenarios: scenarios.filter((one) => one.role === role),
    })).filter((group) => group.scenarios.length > 0),
    scenario: (id, version) => byKey.get(keyOf(id, version)),
    requirement: (id) => byId.get(id),
    scenarioChecks: (requirement, version) => scenarioChecks.get(keyOf(requirement, version)) ?? [],
  }
}
