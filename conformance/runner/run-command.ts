import { join } from 'node:path'
import { surviveLateEnds } from '../attempt/endings.ts'
import { freshSeed } from '../attempt/random.ts'
import { Slots } from '../attempt/slots.ts'
import { scopeOfProfile } from '../catalogue/certification/profile-scope.ts'
import { loadCertificateProfile } from '../catalogue/certification/profiles.ts'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'
import { SetupFault } from '../input/fault.ts'
import type { RunOptions } from '../options/cli-options.ts'
import type { OutputStream } from '../report/console/live-lines.ts'
import { createReporters } from '../report/formats/reporters.ts'
import { OUTCOME_ROWS } from '../report/outcomes.ts'
import { type Progress, wantsColour } from '../report/progress.ts'
import type { Baseline, ScenarioResult, SetupStep } from '../report/result.ts'
import { writeReports } from '../report/write-reports.ts'
import type { Scenario } from '../scenario.ts'
import { loadTarget } from '../target/load-target.ts'
import { closeOnSignal } from '../target/processes/close-on-signal.ts'
import { createRunDirectory, type RunDirectory } from '../target/processes/run-directory.ts'
import { sweepStaleRuns } from '../target/processes/sweep-stale-runs.ts'
import { rolesUnderTest, type Target } from '../target/target.ts'
import { refuseUnknownCells, refuseUnknownSelections, selects } from './cells/cell-selection.ts'
import { discoverScenarios, loadScenario } from './discover.ts'
import { planTrials, type Trial, variantsNeeded } from './plan.ts'
import { expectations, nextBaseline } from './result/baseline.ts'
import { loadBaseline, writeBaseline } from './result/baseline-file.ts'
import { assayVersion, composeResult } from './result/compose-result.ts'
import { BAIL, endedEarly } from './result/ended-early.ts'
import { closeEnvironment } from './run-environment.ts'
import { type SetUp, setUp } from './set-up.ts'
import { startTrials } from './start-trials.ts'

/**
 * `assay run`: starts the deployment, runs the scenarios, writes the reports; returns the exit code. `log` receives what
 * `--verbose` prints.
 */
export async function runCommand(
  options: RunOptions,
  stream: OutputStream,
  log?: OutputStream,
): Promise<number> {
  const plan = await loadPlan(options)
  if (options.list || plan.target.safety.dryRun) return listTrials(plan, options, stream)
  surviveLateEnds()
  const swept = await sweepStaleRuns(options.out)
  const aside = options.format.includes('jsonl') ? process.stderr : stream
  for (const line of swept) aside.write(`${line}\n`)
  const { detail } = options
  const printed = { stream, colour: wantsColour(stream, process.env), detail }
  const progress = createReporters(printed, options.format, process.env, log)
  try {
    return await inRunDirectory(options, (place) => carryOut(plan, options, place, progress))
  } catch (error) {
    if (error instanceof Error) progress.failed(error)
    throw error
  }
}

/** The run directory of one run, and the signal that ends it. */
interface Place {
  readonly run: RunDirectory
  readonly interrupted: AbortSignal
  /** Registers work that must settle before the run directory is closed. */
  holdFor(work: Promise<unknown>): void
}

/** Opens a run directory for `work` and closes it at its end, after an error, or after a signal. */
async function inRunDirectory(
  options: RunOptions,
  work: (place: Place) => Promise<number>,
): Promise<number> {
  const interrupted = new AbortController()
  const run = createRunDirectory(options.out)
  let pending: Promise<unknown> = Promise.resolve()
  const undo = closeOnSignal(async (signal) => {
    interrupted.abort(signal)
    await pending
    await run.close()
  })
  const holdFor = (held: Promise<unknown>): void => {
    pending = held
  }
  try {
    return await work({ run, interrupted: interrupted.signal, holdFor })
  } finally {
    await run.close()
    undo()
  }
}

async function carryOut(
  plan: Plan,
  options: RunOptions,
  place: Place,
  progress: Progress,
): Promise<number> {
  const { trials, requirements, scenarios } = plan
  const { run } = place
  const bail = new AbortController()
  const interrupted = AbortSignal.any([place.interrupted, bail.signal])
  place.interrupted.addEventListener('abort', progress.interrupted, { once: true })
  const startedAt = new Date()
  const steps: SetupStep[] = []
  const onStep = (step: SetupStep): void => {
    steps.push(step)
    if (!interrupted.aborted) progress.setup(step)
  }
  const seed = options.seed ?? freshSeed()
  const target = plan.target.name
  progress.started({ assay_version: assayVersion(), target, seed, scenarios: trials.length })
  const variants = variantsNeeded(trials)
  const request = { options, seed, run, requirements, scenarios, variants, onStep, interrupted }
  const ready = await setUp(request)
  const { environment } = ready
  const finish = async (): Promise<number> => {
    const results = await runAll(ready, plan, { options, progress, bail })
    await closeEnvironment(environment)
    const baseline = baselineAfter(plan, options, ready, results)
    const found = { results, requirements, scenarios, baseline }
    const result = composeResult({ ready, seed, startedAt, steps, options, ...found })
    const { transcripts } = environment
    progress.closing(result, await writeReports(result, transcripts, options.out, options.format))
    if (baseline !== undefined && baseline !== plan.baseline) await writeBaseline(baseline)
    return result.exit_code
  }
  const finishing = finish()
  // From here on there are results, so that a signal waits for the reports.
  place.holdFor(Promise.allSettled([finishing]))
  return finishing
}

/** The baseline of the run; with `--update-baseline` the one that its results give. */
function baselineAfter(
  { baseline, scenarios }: Plan,
  options: RunOptions,
  { environment }: SetUp,
  results: readonly ScenarioResult[],
): Baseline | undefined {
  const isWhole = endedEarly(environment, results) === undefined
  if (baseline === undefined || !options.updateBaseline || !isWhole) return baseline
  const entries = nextBaseline(baseline.entries, results, scenarios)
  return { ...baseline, entries }
}

interface Course {
  readonly options: RunOptions
  readonly progress: Progress
  /** Ends the run. */
  readonly bail: AbortController
}

async function runAll(
  { environment }: SetUp,
  { trials, baseline }: Plan,
  { options, progress, bail }: Course,
): Promise<readonly ScenarioResult[]> {
  const expect = expectations(baseline?.entries ?? [])
  progress.began(trials.map(({ scenario }) => scenario))
  const started = startTrials(environment, trials, {
    slots: new Slots(options.jobs),
    onFinished: (finished) => {
      if (finished.unfinished) return
      const result = expect(finished)
      progress.finished(result)
      if (options.bail && OUTCOME_ROWS[result.outcome].tally === 'failed') bail.abort(BAIL)
    },
  })
  return Promise.all(started)
}

interface Plan {
  readonly target: Target
  readonly trials: readonly Trial[]
  readonly requirements: readonly CatalogueRow[]
  readonly scenarios: readonly Scenario[]
  readonly baseline: Baseline | undefined
}

/** The plan of a run, from the target file alone: nothing is started. */
async function loadPlan(options: RunOptions): Promise<Plan> {
  const nowhere = join(options.out, 'runs', 'none')
  const target = await loadTarget(options.target, { run: nowhere, ekCa: nowhere, env: process.env })
  const roles = rolesUnderTest(target)
  const requirements = loadRequirements()
  const scenarios = await loadScenarios(options, requirements)
  const { capabilities } = target
  const versions = versionsOf(options, target)
  refuseUnknownSelections(options.only, scenarios)
  refuseUnknownCells(options.only, scenarios, versions)
  refuseUnknownExclusions(options.exclude, scenarios)
  const trials = planTrials(scenarios, { ...options, versions, capabilities, roles })
  refuseEmptyPlan(trials.length, options, target)
  const { baseline: file, updateBaseline } = options
  const baseline = file === undefined ? undefined : loadBaseline(file, updateBaseline)
  return { target, trials, requirements, scenarios, baseline }
}

async function loadScenarios(
  { scenario, profile }: RunOptions,
  requirements: readonly CatalogueRow[],
): Promise<readonly Scenario[]> {
  if (scenario !== undefined) return [await loadScenario(scenario, requirements)]
  const all = await discoverScenarios(requirements)
  if (profile === undefined) return all
  return scopeOfProfile(loadCertificateProfile(profile), requirements, all).scenarios
}

function versionsOf({ profile }: RunOptions, { versions }: Target): readonly string[] {
  if (profile === undefined) return versions
  const range = loadCertificateProfile(profile).versions
  return versions.filter((version) => applies(range, version))
}

function listTrials({ trials }: Plan, options: RunOptions, stream: OutputStream): number {
  for (const { scenario, version, excluded } of trials) {
    const why = excluded === undefined ? '' : `  (${excluded.outcome}: ${excluded.reason})`
    stream.write(`${scenario.id}  ${version}  ${scenario.title}${why}\n`)
  }
  const why = options.list ? '--list' : 'safety.dry_run of the target file'
  stream.write(`${trials.length} would be run; nothing was sent (${why})\n`)
  return 0
}

/** A pattern that excludes nothing is a mistake: what it should exclude would run. */
function refuseUnknownExclusions(
  patterns: readonly string[],
  scenarios: readonly Scenario[],
): void {
  for (const pattern of patterns) {
    if (pattern.includes('#'))
      throw new SetupFault(`--exclude ${pattern}: a cell cannot be excluded`, {
        next: 'name a scenario, or prefix* for several',
      })
    if (!scenarios.some(({ id }) => selects(pattern, id)))
      throw new SetupFault(`--exclude ${pattern} matches no scenario`, {
        next: 'assay list shows them all; repeat --exclude for several',
      })
  }
}

function refuseEmptyPlan(count: number, options: RunOptions, { versions }: Target): void {
  if (count > 0) return
  const { only, exclude, role, version, since, shard } = options
  const words = [
    ...Object.entries({ only, exclude, role, version }).flatMap(([name, values]) =>
      values.map((value) => `--${name} ${value}`),
    ),
    ...(since === undefined ? [] : [`--since ${since}`]),
    ...(shard === undefined ? [] : [`--shard ${shard.join('/')}`]),
  ]
  const selection = words.length === 0 ? 'the versions of the target file' : words.join(' ')
  throw new SetupFault(`no scenario matches ${selection}`, {
    next:
      shard === undefined
        ? `assay list shows them all; the target file has the versions ${versions.join(', ')}`
        : 'use fewer shards: a passing twin and its variants are in one',
  })
}
