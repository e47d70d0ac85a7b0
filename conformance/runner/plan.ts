import { applies, compareVersions } from '../client/operations.ts'
import type { Scenario } from './scenario.ts'

/** One scenario under one version: the unit that has an outcome. */
export interface Trial {
  readonly scenario: Scenario
  readonly version: string
  /** Why it is not run at all; undefined when it is. */
  readonly excluded?: { readonly outcome: 'not-applicable' | 'skipped'; readonly reason: string }
}

export interface PlanOptions {
  readonly roles: readonly string[]
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  /** Ids or `prefix.*`; all when empty. */
  readonly only: readonly string[]
}

/**
 * Every scenario under every listed version that it applies to, twins before their variants. With a
 * selection, the twins of what was selected are run too: without them a variant proves nothing.
 */
export function planTrials(scenarios: readonly Scenario[], options: PlanOptions): readonly Trial[] {
  const wanted = withTwins(scenarios, options.only)
  return inTwinOrder(scenarios.filter(({ id }) => wanted.has(id))).flatMap((scenario) =>
    options.versions
      .filter((version) => applies(scenario, version))
      .toSorted(compareVersions)
      .map((version) => ({ scenario, version, ...exclusion(scenario, options) })),
  )
}

export function selects(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : pattern === id
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
