import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadInterfaceDocument } from '../../catalogue/load-requirements.ts'
import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { packageRoot } from '../../input/package-root.ts'
import type { RunOptions } from '../../options/cli-options.ts'
import { causesOf } from '../../report/causes.ts'
import type {
  EndedEarly,
  RunResult,
  ScenarioResult,
  Scope,
  SetupStep,
} from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { exceedsCertification } from '../../target/limits.ts'
import { rolesUnderTest, type Target } from '../../target/target.ts'
import type { SetUp } from '../set-up.ts'
import { decideCertification } from './certification.ts'
import { staleWaivers, unexercisedCapabilities } from './complaints.ts'
import { describeScope, narrowedBy } from './describe-scope.ts'
import { endedEarly } from './ended-early.ts'
import { decideVerdict, limitVerdict } from './outcome.ts'
import { blockUnproven, withCountingChecks } from './proven.ts'
import { countOutcomes, summarizeRequirements } from './summarize.ts'
import { summarizeMatrices } from './summarize-matrices.ts'

interface ResultParts {
  readonly ready: SetUp
  readonly seed: string
  readonly startedAt: Date
  readonly steps: readonly SetupStep[]
  readonly results: readonly ScenarioResult[]
  readonly requirements: readonly CatalogueRow[]
  readonly scenarios: readonly Scenario[]
  readonly options: RunOptions
}

/** The result of a run, from which every report is made. */
export function composeResult(parts: ResultParts): RunResult {
  const { ready, scenarios } = parts
  const results = blockUnproven(scenarios, parts.results)
  const counting = withCountingChecks(scenarios, parts.results)
  const { target, environment } = ready
  const ended = endedEarlyOf(parts)
  const complaints = complaintsOf(parts, ended)
  const scope = scopeOf(parts, ended)
  const decided = decideVerdict(results, complaints, ended?.because)
  const { verdict, exitCode } = limitVerdict(decided, scope)
  return {
    schema: 'assay.result/2',
    assay_version: assayVersion(),
    interface_sha256: loadInterfaceDocument().sha256,
    target: {
      name: target.name,
      file: basename(target.file),
      roles: [
        ...target.roles.map(({ role, url }) => ({ role, url })),
        ...target.subjects.map(({ role }) => ({ role })),
      ],
      versions: target.versions,
      dialect: presentDialect(target),
    },
    seed: parts.seed,
    started_at: parts.startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    verdict,
    exit_code: exitCode,
    totals: countOutcomes(results),
    ...(ended === undefined ? {} : { ended_early: ended }),
    causes: causesOf(results),
    complaints,
    certification: decideCertification({
      scope,
      skipped: results.filter(({ outcome }) => outcome === 'skipped').length,
      deviations: ready.deviations,
      complaints,
      exceeded: exceedsCertification(target).map(({ key }) => key),
      verdict,
    }),
    scope,
    setup: parts.steps.map((step) => ({ ...step, detail: environment.redactor.text(step.detail) })),
    scenarios: results,
    requirements: summarizeRequirements(parts.requirements, counting, target.versions),
    matrices: summarizeMatrices(scenarios, counting, rolesUnderTest(target)),
  }
}

function presentDialect({ dialect }: Target): string {
  const changed = Object.entries(dialect.values).map(([key, value]) => `${key}: ${value}`)
  return [dialect.base, ...changed].join(', ')
}

function endedEarlyOf({ ready: { environment }, results }: ResultParts): EndedEarly | undefined {
  const ended = endedEarly(environment, results)
  return ended && { ...ended, says: environment.redactor.text(ended.says) }
}

/** Of a run that ended early nothing is missing that the target file could add. */
function scopeOf(
  { ready, results, scenarios, options }: ResultParts,
  ended: EndedEarly | undefined,
): Scope {
  const scope = describeScope(results, scenarios, ready.target.capabilities, options)
  return ended === undefined ? scope : { ...scope, missing: [] }
}

/** A run that ended early left out too much to say what it did not exercise. */
function complaintsOf(
  { ready, results, scenarios, options }: ResultParts,
  ended: EndedEarly | undefined,
): readonly string[] {
  const isWhole = ended === undefined && narrowedBy(options).length === 0
  return [
    ...(ended === undefined ? [] : [ended.says]),
    ...staleWaivers(ready.deviations, results),
    ...(isWhole ? unexercisedCapabilities(ready.target.capabilities, scenarios, results) : []),
  ]
}

/** The version of Assay, from its package. */
export function assayVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
