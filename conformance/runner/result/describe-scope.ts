import { API_VERSIONS } from '../../catalogue/requirement.ts'
import { applies, compareVersions } from '../../catalogue/routes/operations.ts'
import type { RunOptions } from '../../options/cli-options.ts'
import { ROLES, type ScenarioResult, type Scope, type ScopePart } from '../../report/result.ts'
import { thousands } from '../../report/visible.ts'
import type { Scenario } from '../../scenario.ts'
import { EVIDENCE_MODES, missingEvidence, TESTED } from './needed-evidence.ts'

/** Short names of capabilities, in the order in which a scope lists them. */
const NAMES: Readonly<Record<string, string>> = {
  pull_mode: 'polling',
  ima_log: 'IMA',
  uefi_log: 'firmware logs',
  measured_boot: 'boot policies',
  boot_policy_names: 'named boot policies',
  ecc_keys: 'ECC keys',
  tls_resumption: 'TLS resumption',
  ek_store: 'EK store',
  ek_profile: 'EK profile',
  device_identity: 'device identities',
  generated_tls: 'generated certificates',
  sev_snp: 'SEV-SNP reports',
  deep_quotes: 'deep quotes',
  restartable: 'restarts',
  movable_clock: 'a moved clock',
}

/** The options of a run that leave scenarios out. */
export type Narrowing = Pick<
  RunOptions,
  'only' | 'role' | 'version' | 'since' | 'shard' | 'scenario'
> &
  Partial<Pick<RunOptions, 'exclude'>>

const NARROWING = ['only', 'exclude', 'role', 'version', 'since', 'shard', 'scenario'] as const

/** The names of the options that left scenarios out. */
export function narrowedBy(options: Narrowing): readonly string[] {
  return NARROWING.filter((name) => (options[name] ?? []).length > 0)
}

/** What a run covers, from its results and the capabilities that the target file lists. */
export function describeScope(
  results: readonly ScenarioResult[],
  scenarios: readonly Scenario[],
  claimed: readonly string[],
  options: Narrowing,
): Scope {
  const needs = new Map(scenarios.map((scenario) => [scenario.id, scenario.needs ?? []]))
  const unclaimed = ({ id }: ScenarioResult) =>
    (needs.get(id) ?? []).filter((word) => !claimed.includes(word))
  const parts = groupsOf(results).flatMap(({ own, ...group }): readonly ScopePart[] => {
    const tested = own.filter(({ outcome }) => TESTED.has(outcome))
    if (tested.length === 0) return []
    const versions = [...new Set(tested.map(({ version }) => version))].toSorted(compareVersions)
    const left = new Set(own.flatMap(unclaimed))
    return [{ ...group, versions, without: Object.keys(NAMES).filter((word) => left.has(word)) }]
  })
  return {
    text: textOf(parts, results),
    parts,
    narrowed: narrowedBy(options).map((name) => `--${name}`),
    missing: missingEvidence(results),
  }
}

interface Group extends Pick<ScopePart, 'role' | 'mode'> {
  readonly own: readonly ScenarioResult[]
}

/** The results of each role, and of each mode of the verifier. */
function groupsOf(results: readonly ScenarioResult[]): readonly Group[] {
  return ROLES.flatMap((role): readonly Group[] => {
    const own = results.filter((result) => result.role === role)
    if (role !== 'verifier') return [{ role, own }]
    return EVIDENCE_MODES.map(({ mode, versions }) => ({
      ...{ role, mode },
      own: own.filter(({ version }) => applies(versions, version)),
    }))
  })
}

function textOf(parts: readonly ScopePart[], results: readonly ScenarioResult[]): string {
  const tested = parts.map(presentPart).join(', ') || 'nothing'
  const left = results.filter(({ outcome }) => outcome === 'not-applicable').length
  return `${tested}; ${thousands(left)} of ${thousands(results.length)} not applicable`
}

function presentPart({ role, mode, versions, without }: ScopePart): string {
  const names = without.map((word) => NAMES[word]).join(', ')
  const lacking = without.length > 1 ? `(without ${names})` : `without ${names}`
  const words = [role.replace('_', ' '), mode, presentVersions(versions)]
  return [...words, without.length > 0 ? lacking : undefined]
    .filter((word) => word !== undefined)
    .join(' ')
}

/** Consecutive versions as a range: `2.1–3.0`. */
function presentVersions(versions: readonly string[]): string {
  const [first = '', last = ''] = [versions[0], versions.at(-1)]
  const between = API_VERSIONS.filter((one) => applies({ since: first, until: last }, one))
  if (versions.length < 2) return first
  return between.length === versions.length ? `${first}–${last}` : versions.join('/')
}
