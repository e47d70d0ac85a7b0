import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadInterfaceDocument } from '../../catalogue/load-requirements.ts'
import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { packageRoot } from '../../input/package-root.ts'
import type { RunOptions } from '../../options/cli-options.ts'
import type {
  Baseline,
  EndedEarly,
  RunResult,
  ScenarioResult,
  SetupStep,
} from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { exceedsCertification } from '../../target/limits.ts'
import { rolesUnderTest, type Target } from '../../target/target.ts'
import type { SetUp } from '../set-up.ts'
import { allowancesOf } from './certification.ts'
import { neededOf, staleWaivers } from './complaints.ts'
import { endedEarly } from './ended-early.ts'
import { judgeRun } from './judge-run.ts'

interface ResultParts {
  readonly ready: SetUp
  readonly seed: string
  readonly startedAt: Date
  readonly steps: readonly SetupStep[]
  readonly results: readonly ScenarioResult[]
  readonly requirements: readonly CatalogueRow[]
  readonly scenarios: readonly Scenario[]
  readonly options: RunOptions
  readonly baseline?: Baseline | undefined
}

/** The result of a run, from which every report is made. */
export function composeResult(parts: ResultParts): RunResult {
  const { ready, results, scenarios, options, baseline } = parts
  const { target, environment } = ready
  const ended = endedEarlyOf(parts)
  const exceeded = exceedsCertification(target).map(({ key }) => key)
  return judgeRun({
    facts: {
      assay_version: assayVersion(),
      interface_sha256: loadInterfaceDocument().sha256,
      target: targetFacts(target),
      seed: parts.seed,
      ...selectionOf(options),
      started_at: parts.startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      setup: parts.steps.map((step) => ({
        ...step,
        detail: environment.redactor.text(step.detail),
      })),
    },
    ...{ results: results.map(withUnserved(environment)), scenarios },
    requirements: parts.requirements,
    ...{ capabilities: claimedIn(parts), roles: rolesUnderTest(target), narrowing: options },
    ended,
    complaints: staleWaivers(ready.deviations, results),
    allowances: allowancesOf(ready.deviations, exceeded),
    baseline: baseline && { ...baseline, file: basename(baseline.file) },
  })
}

/** Adds the operation that was never served to a scenario that failed after it. */
function withUnserved({ unserved, redactor }: SetUp['environment']) {
  return (result: ScenarioResult): ScenarioResult => {
    const never = unserved.of(result)
    if (never === undefined) return result
    return { ...result, unserved: { ...never, answer: redactor.text(never.answer) } }
  }
}

/** The capabilities that the target file lists; for a profile those that its scenarios need. */
function claimedIn({ ready, scenarios, options }: ResultParts): readonly string[] {
  const { capabilities } = ready.target
  return options.profile === undefined ? capabilities : neededOf(capabilities, scenarios)
}

/** The selection, unless the scenario is none of those that Assay ships. */
function selectionOf(options: RunOptions): Pick<RunResult, 'selection'> {
  const { only, exclude, role, version, since, shard, profile, scenario } = options
  if (scenario !== undefined) return {}
  return {
    selection: {
      ...{ only, exclude, role, version },
      ...(since === undefined ? {} : { since }),
      ...(shard === undefined ? {} : { shard }),
      ...(profile === undefined ? {} : { profile }),
    },
  }
}

function targetFacts(target: Target): RunResult['target'] {
  return {
    name: target.name,
    file: basename(target.file),
    roles: [
      ...target.roles.map(({ role, url }) => ({ role, url })),
      ...target.subjects.map(({ role }) => ({ role })),
    ],
    versions: target.versions,
    capabilities: target.capabilities,
    dialect: presentDialect(target),
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

/** The version of Assay, from its package. */
export function assayVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
