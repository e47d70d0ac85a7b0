import { join } from 'node:path'
import type { WriteStream } from 'node:tty'
import type { RunOptions } from '../cli-options.ts'
import { createProgress, wantsColour } from '../report/progress.ts'
import type { RunResult, SetupStep } from '../report/result.ts'
import { writeReports } from '../report/write-reports.ts'
import { loadRequirements } from '../spec/load-requirements.ts'
import { closeOnSignal } from '../target/close-on-signal.ts'
import { SetupFault } from '../target/fault.ts'
import { loadTarget } from '../target/load-target.ts'
import { createRunDirectory } from '../target/run-directory.ts'
import { sweepStaleRuns } from '../target/sweep-stale-runs.ts'
import type { Target } from '../target/target.ts'
import { composeResult } from './compose-result.ts'
import { discoverScenarios } from './discover.ts'
import { planTrials, type Trial } from './plan.ts'
import { freshSeed } from './random.ts'
import { type SetUp, setUp } from './set-up.ts'
import { startTrials } from './start-trials.ts'

/** The main job: starts the deployment, runs the scenarios, writes the reports; returns the exit code. */
export async function judge(options: RunOptions, stream: NodeJS.WriteStream): Promise<number> {
  const progress = createProgress({
    stream,
    colour: wantsColour(stream, process.env),
    width: (stream as WriteStream).columns,
  })
  const plan = await loadPlan(options)
  if (options.list || plan.target.safety.dryRun) return listTrials(plan, options, stream)
  for (const line of await sweepStaleRuns(options.out)) stream.write(`${line}\n`)
  const requirements = loadRequirements()
  const scenarios = await discoverScenarios(requirements)
  const seed = options.seed ?? freshSeed()
  const interrupted = new AbortController()
  const run = createRunDirectory(options.out)
  let inHand: Promise<unknown> = Promise.resolve()
  const undo = closeOnSignal(async () => {
    interrupted.abort()
    await inHand
    await run.close()
  })
  const startedAt = new Date()
  const steps: SetupStep[] = []
  const onStep = (step: SetupStep): void => {
    steps.push(step)
    if (!interrupted.signal.aborted) progress.setup(step)
  }
  try {
    const ready = await setUp({
      options,
      seed,
      run,
      requirements,
      scenarios,
      onStep,
      interrupted: interrupted.signal,
    })
    const trials = planTrials(scenarios, {
      ...options,
      ...planOf(ready.target),
      roles: rolesOf(ready),
    })
    progress.began(trials.length, Math.max(...trials.map(({ scenario }) => scenario.id.length)))
    const started = startTrials(ready.bench, trials, {
      jobs: options.jobs,
      onFinished: (result) => {
        if (!interrupted.signal.aborted) progress.finished(result)
      },
    })
    inHand = Promise.allSettled(started)
    const results = await Promise.all(started)
    refuseDeadSubject(ready)
    const result = composeResult({
      ready,
      seed,
      startedAt,
      steps,
      results,
      requirements,
      scenarios,
      options,
    })
    await finish(result, options, progress, interrupted.signal)
    return interrupted.signal.aborted ? 2 : result.exit_code
  } finally {
    await run.close()
    undo()
  }
}

interface Plan {
  readonly target: Target
  readonly trials: readonly Trial[]
}

/** What would be run, by a look at the target file alone: nothing is started. */
async function loadPlan(options: RunOptions): Promise<Plan> {
  const nowhere = join(options.out, 'runs', 'none')
  const target = await loadTarget(options.target, { run: nowhere, ekCa: nowhere, env: process.env })
  const roles = target.roles.map(({ role }) => role)
  const scenarios = await discoverScenarios(loadRequirements())
  const trials = planTrials(scenarios, { ...options, ...planOf(target), roles })
  refuseEmptyPlan(trials.length, options)
  return { target, trials }
}

function listTrials({ trials }: Plan, options: RunOptions, stream: NodeJS.WriteStream): number {
  for (const { scenario, version, excluded } of trials) {
    const why = excluded === undefined ? '' : `  (${excluded.outcome}: ${excluded.reason})`
    stream.write(`${scenario.id}  ${version}  ${scenario.title}${why}\n`)
  }
  const why = options.list ? '--list' : 'safety.dry_run of the target file'
  stream.write(`${trials.length} would be run; nothing was sent (${why})\n`)
  return 0
}

function planOf({ versions, capabilities }: Target): Pick<Target, 'versions' | 'capabilities'> {
  return { versions, capabilities }
}

async function finish(
  result: RunResult,
  options: RunOptions,
  progress: ReturnType<typeof createProgress>,
  interrupted: AbortSignal,
): Promise<void> {
  if (interrupted.aborted) return
  progress.closing(result, await writeReports(result, options.out))
}

function rolesOf({ target }: SetUp): readonly string[] {
  return target.roles.map(({ role }) => role)
}

function refuseEmptyPlan(count: number, { only }: RunOptions): void {
  if (count > 0) return
  const asked =
    only.length === 0 ? 'the versions of the target file' : `--only ${only.join(' --only ')}`
  throw new SetupFault(`no scenario fits ${asked}`, { next: 'assay list shows them all' })
}

/** A subject that died during the run has no verdict coming from checks alone. */
function refuseDeadSubject({ deployment }: SetUp): void {
  const casualty = deployment.casualty()
  if (casualty !== undefined)
    throw new SetupFault(casualty, { next: 'read its log in the run directory' })
}
