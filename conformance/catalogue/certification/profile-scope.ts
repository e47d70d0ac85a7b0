import type { Strength } from '../../report/requirement-result.ts'
import { API_VERSIONS, type CatalogueRow } from '../requirement.ts'
import { applies } from '../routes/operations.ts'
import type { CertificateProfile } from './profiles.ts'

type Range = CertificateProfile['versions']

/** What a profile needs to know of a scenario. */
interface ScenarioHead extends Range {
  readonly id: string
  readonly role: string
  readonly requirements: readonly string[]
  readonly variantOf?: string
}

/** A row of a profile, with the rows that scenarios of the profile check for it. */
export interface ProfileRow extends CatalogueRow {
  readonly checkers: readonly string[]
}

interface ProfileScope<Head extends ScenarioHead> {
  readonly rows: readonly ProfileRow[]
  readonly scenarios: readonly Head[]
}

/** The rows of a profile, and the scenarios that check one of them, with their passing twins. */
export function scopeOfProfile<Head extends ScenarioHead>(
  profile: CertificateProfile,
  rows: readonly CatalogueRow[],
  scenarios: readonly Head[],
): ProfileScope<Head> {
  const { versions, components, except = [] } = profile
  const roles: readonly string[] = rolesOf(profile)
  const candidates = scenarios.filter(
    (one) => roles.includes(one.role) && meet(one, versions).length > 0,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const checkedBy = (scenario: Head): readonly string[] =>
    scenario.requirements.filter((id) => isCheckedUnder(versions, byId.get(id), scenario))
  const checked = new Set(candidates.flatMap(checkedBy))
  const left = new Set(except.map(({ row }) => row))
  const own = rows
    .filter(({ id, component }) => components.includes(component) && !left.has(id))
    .map((row) => ({ ...row, checkers: checkersOf(row).filter((id) => checked.has(id)) }))
    .filter(({ checkers }) => checkers.length > 0)
  const wanted = new Set(own.flatMap(({ checkers }) => checkers))
  const checking = candidates.filter((one) => checkedBy(one).some((id) => wanted.has(id)))
  return { rows: own, scenarios: withTwins(checking, scenarios) }
}

/**
 * Whether a scenario checks a row under versions of a profile. The row may be of other versions than the scenario: evidence
 * of 3.0 shows in the record of 2.5.
 */
function isCheckedUnder(versions: Range, row: Range | undefined, scenario: Range): boolean {
  if (row === undefined) return false
  const common = meet(row, scenario)
  return common.length === 0 || common.some((version) => applies(versions, version))
}

/** Every role that a profile can judge. */
export function rolesOf({ roles, optional_roles: optional = [] }: CertificateProfile) {
  return [...roles, ...optional]
}

/** Whether a scenario checks a row when it runs under a version. */
export function isCheckedIn(version: string, row: Range, scenario: Range): boolean {
  return meet(row, scenario).length === 0 || applies(row, version)
}

/** The strength of a row in a scenario: a check under a version that the row does not apply to is only recorded. */
export function strengthIn(
  version: string,
  row: Range & Pick<CatalogueRow, 'strength'>,
  scenario: Range,
): Strength {
  return isCheckedIn(version, row, scenario) ? row.strength : 'silent'
}

/** The rows whose checks judge a row: those that it names, or itself. */
function checkersOf({ id, judged_by: checkers }: CatalogueRow): readonly string[] {
  return checkers ?? [id]
}

/** The versions of both ranges. */
function meet(one: Range, other: Range): readonly string[] {
  return API_VERSIONS.filter((version) => applies(one, version) && applies(other, version))
}

function withTwins<Head extends ScenarioHead>(
  chosen: readonly Head[],
  all: readonly Head[],
): readonly Head[] {
  const byId = new Map(all.map((one) => [one.id, one]))
  const wanted = new Set<string>()
  for (const { id } of chosen)
    for (let at: string | undefined = id; at !== undefined; at = byId.get(at)?.variantOf)
      wanted.add(at)
  return all.filter(({ id }) => wanted.has(id))
}
