import { applies, compareVersions } from '../catalogue/routes/operations.ts'
import type { Scenario } from '../scenario.ts'
import { VARIANTS, type VariantName } from '../target/target.ts'
import { chosenCells, selects } from './cells/cell-selection.ts'

/** One scenario under one version: the unit that has an outcome. */
export interface Trial {
  readonly scenario: Scenario
  readonly version: string
  /** The only cells of its matrix that it asks; absent: all. */
  readonly cells?: readonly string[]
  /** Why it does not run; undefined if it runs. */
  readonly excluded?: { readonly outcome: 'not-applicable' | 'skipped'; readonly reason: string }
}

export interface PlanOptions {
  readonly roles: readonly string[]
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  /** Ids, `prefix.*` or `ID#CELL`; empty: all scenarios. */
  readonly only: readonly string[]
  /** Ids or `prefix.*` that are left out, with their variants. */
  readonly exclude?: readonly string[]
  /** Only these roles; empty: all. */
  readonly role?: readonly string[]
  /** Only these versions; empty: all. */
  readonly version?: readonly string[]
  readonly since?: string
  /** Part of parts; a twin and its variants stay together. */
  readonly shard?: readonly [part: number, of: number]
}

/** The variants of a deployment that trials need. */
export function variantsNeeded(trials: readonly Trial[]): readonly VariantName[] {
  return VARIANTS.filter((name) =>
    trials.some(({ scenario, excluded }) => scenario.settings === name && excluded === undefined),
  )
}

/**
 * Every scenario under every listed version that it applies to, twins before their variants. A selection includes the
 * twins of the selected scenarios, since a variant proves nothing without its twin.
 */
export function planTrials(scenarios: readonly Scenario[], options: PlanOptions): readonly Trial[] {
  const left = withoutExcluded(scenarios, options.exclude)
  const wanted = withTwins(left, options.only)
  const chosen = inTwinOrder(
    left.filter(({ id, role }) => wanted.has(id) && isAmong(role, options.role)),
  )
  return ofShard(chosen, options).flatMap((scenario) =>
    versionsOf(scenario, options).flatMap((version) => {
      const cells = cellsOf(scenario, version, options.only)
      if (cells?.length === 0) return []
      return { scenario, version, ...(cells && { cells }), ...exclusion(scenario, options) }
    }),
  )
}

/** The chosen cells that the scenario has under a version; undefined if all of its cells are asked. */
function cellsOf(
  { id, matrix }: Scenario,
  version: string,
  only: readonly string[],
): readonly string[] | undefined {
  const chosen = chosenCells(only, id)
  const known = matrix?.cells(version) ?? []
  return chosen?.filter((cell) => known.includes(cell))
}

function isAmong(word: string, narrowed: readonly string[] = []): boolean {
  return narrowed.length === 0 || narrowed.includes(word)
}

function versionsOf(scenario: Scenario, options: PlanOptions): readonly string[] {
  const applying = options.versions
    .filter((version) => applies(scenario, version) && isAmong(version, options.version))
    .filter(
      (version) => options.since === undefined || compareVersions(version, options.since) >= 0,
    )
    .toSorted(compareVersions)
  return scenario.perMajor ? applying.filter(isNewestOfItsMajor) : applying
}

function isNewestOfItsMajor(version: string, at: number, rising: readonly string[]): boolean {
  return version.split('.')[0] !== rising[at + 1]?.split('.')[0]
}

/** A share of the work: a scenario that runs alone waits alone, others wait at the same time. */
function weightOf(scenario: Scenario, options: PlanOptions): number {
  const { alone, seconds = 1 } = scenario
  return versionsOf(scenario, options).length * (alone === true ? seconds : 1)
}

/**
 * The part of the scenarios that belongs to a shard. A twin with all its variants is one unit; the heaviest unit goes to
 * the lightest shard, so that the split follows from ids and versions alone.
 */
function ofShard(scenarios: readonly Scenario[], options: PlanOptions): readonly Scenario[] {
  if (options.shard === undefined) return scenarios
  const [part, of] = options.shard
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const rootOf = (scenario: Scenario): string => {
    const twin = scenario.variantOf === undefined ? undefined : byId.get(scenario.variantOf)
    return twin === undefined ? scenario.id : rootOf(twin)
  }
  const weights = new Map<string, number>()
  for (const scenario of scenarios) {
    const root = rootOf(scenario)
    weights.set(root, (weights.get(root) ?? 0) + weightOf(scenario, options))
  }
  const loads = Array.from({ length: of }, () => 0)
  const shards = new Map<string, number>()
  const heaviestFirst = [...weights].toSorted(
    ([one, weight], [other, than]) => than - weight || (one < other ? -1 : 1),
  )
  for (const [root, weight] of heaviestFirst) {
    const lightest = loads.indexOf(Math.min(...loads))
    loads[lightest] = (loads[lightest] ?? 0) + weight
    shards.set(root, lightest + 1)
  }
  return scenarios.filter((scenario) => shards.get(rootOf(scenario)) === part)
}

/** The scenarios without those that are excluded, and without their variants, which prove nothing without them. */
function withoutExcluded(
  scenarios: readonly Scenario[],
  patterns: readonly string[] = [],
): readonly Scenario[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const isExcluded = ({ id, variantOf = '' }: Scenario): boolean => {
    const twin = byId.get(variantOf)
    return patterns.some((one) => selects(one, id)) || (twin !== undefined && isExcluded(twin))
  }
  return scenarios.filter((scenario) => !isExcluded(scenario))
}

function withTwins(scenarios: readonly Scenario[], only: readonly string[]): ReadonlySet<string> {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const wanted = new Set<string>()
  for (const { id } of scenarios) {
    const chosen = only.length === 0 || only.some((pattern) => selects(pattern, id))
    for (
      let at: string | undefined = chosen ? id : undefined;
      at !== undefined;
      at = byId.get(at)?.variantOf
    ) {
      wanted.add(at)
    }
  }
  return wanted
}

function inTwinOrder(scenarios: readonly Scenario[]): readonly Scenario[] {
  const depth = new Map<string, number>()
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const depthOf = (scenario: Scenario): number => {
    const twin = scenario.variantOf === undefined ? undefined : byId.get(scenario.variantOf)
    const value = depth.get(scenario.id) ?? (twin === undefined ? 0 : depthOf(twin) + 1)
    depth.set(scenario.id, value)
    return value
  }
  return scenarios.toSorted(
    (one, other) => depthOf(one) - depthOf(other) || (one.id < other.id ? -1 : 1),
  )
}

function exclusion(scenario: Scenario, options: PlanOptions): Pick<Trial, 'excluded'> {
  if (!options.roles.includes(scenario.role)) {
    return {
      excluded: { outcome: 'not-applicable', reason: `the target file names no ${scenario.role}` },
    }
  }
  const missing = scenario.needs?.filter((word) => !options.capabilities.includes(word)) ?? []
  if (missing.length === 0) return {}
  return {
    excluded: {
      outcome: 'not-applicable',
      reason: `the target file does not list the capability ${missing.join(', ')}`,
    },
  }
}
