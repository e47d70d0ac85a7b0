import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { causesOf } from '../../report/causes.ts'
import type { Baseline, EndedEarly, RunResult, ScenarioResult, Scope } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { applyBaseline, staleEntries } from './baseline.ts'
import { decideCertification } from './certification.ts'
import { unexercisedCapabilities } from './complaints.ts'
import { describeScope, type Narrowing, narrowedBy } from './describe-scope.ts'
import { decideVerdict, limitVerdict } from './outcome.ts'
import { blockUnproven, withCountingChecks } from './proven.ts'
import { countOutcomes, summarizeRequirements } from './summarize.ts'
import { summarizeMatrices } from './summarize-matrices.ts'

/** What identifies a run. */
type RunFacts = Pick<
  RunResult,
  | 'assay_version'
  | 'interface_sha256'
  | 'target'
  | 'seed'
  | 'started_at'
  | 'finished_at'
  | 'setup'
  | 'selection'
>

/** What a run was and found, before it is judged as a whole. */
export interface RunParts {
  readonly facts: RunFacts
  /** As the scenarios ended: nothing is blocked for want of function, and no baseline is applied. */
  readonly results: readonly ScenarioResult[]
  readonly scenarios: readonly Scenario[]
  readonly requirements: readonly CatalogueRow[]
  /** Those that the target file lists. */
  readonly capabilities: readonly string[]
  readonly roles: readonly string[]
  readonly narrowing: Narrowing
  readonly ended: EndedEarly | undefined
  /** In addition to those that follow from the results. */
  readonly complaints: readonly string[]
  readonly allowances: readonly string[]
  readonly baseline: Baseline | undefined
}

/** Judges a run: verdict, complaints, causes, requirements and matrices. */
export function judgeRun(parts: RunParts): RunResult {
  const { facts, scenarios, ended, baseline } = parts
  const proven = blockUnproven(scenarios, parts.results)
  const counting = withCountingChecks(scenarios, parts.results)
  const results = applyBaseline(proven, baseline?.entries ?? [])
  const complaints = complaintsOf(parts, proven)
  const scope = scopeOf(parts)
  const decided = decideVerdict(results, complaints, ended?.because)
  const { verdict, exitCode } = limitVerdict(decided, scope, baseline !== undefined)
  const skipped = results.filter(({ outcome }) => outcome === 'skipped').length
  const { allowances } = parts
  const { versions } = facts.target
  const { assay_version, interface_sha256, target, seed, started_at, finished_at, setup } = facts
  return {
    schema: 'assay.result/2',
    ...{ assay_version, interface_sha256, target, seed, started_at, finished_at },
    verdict,
    exit_code: exitCode,
    totals: countOutcomes(results),
    ...(ended === undefined ? {} : { ended_early: ended }),
    causes: causesOf(results),
    complaints,
    certification: decideCertification({ scope, skipped, allowances, complaints, verdict }),
    scope,
    ...(facts.selection === undefined ? {} : { selection: facts.selection }),
    ...(baseline === undefined ? {} : { baseline }),
    setup,
    scenarios: results,
    requirements: summarizeRequirements(parts.requirements, counting, versions),
    matrices: summarizeMatrices(scenarios, counting, parts.roles),
  }
}

/** Of a run that ended early nothing is missing that the target file could add. */
function scopeOf({ facts, results, scenarios, capabilities, narrowing, ended }: RunParts): Scope {
  const described = describeScope(results, scenarios, capabilities, narrowing)
  const profile = facts.selection?.profile
  const scope =
    profile === undefined
      ? described
      : { ...described, text: `profile ${profile}: ${described.text}` }
  return ended === undefined ? scope : { ...scope, missing: [] }
}

/** A run that ended early left out too much to say what it did not exercise. */
function complaintsOf(parts: RunParts, results: readonly ScenarioResult[]): readonly string[] {
  const { scenarios, capabilities, narrowing, ended, baseline } = parts
  const isWhole = ended === undefined && narrowedBy(narrowing).length === 0
  const all = [
    ...(ended === undefined ? [] : [ended.says]),
    ...parts.complaints,
    ...staleEntries(baseline?.entries ?? [], results, scenarios),
    ...(isWhole ? unexercisedCapabilities(capabilities, scenarios, parts.results) : []),
  ]
  return [...new Set(all)]
}
