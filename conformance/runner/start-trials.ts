import type { ScenarioResult } from '../report/result.ts'
import type { Trial } from './plan.ts'
import { type Bench, runScenario, unrunResult } from './run-scenario.ts'

export interface RunOptions {
  /** How many scenarios run at the same time. */
  readonly parallel: number
  readonly onFinished: (result: ScenarioResult) => void
}

/** Starts every trial, each after its twin under the same version; one promise for each, in the order of the plan. */
export function startTrials(
  bench: Bench,
  trials: readonly Trial[],
  options: RunOptions,
): readonly Promise<ScenarioResult>[] {
  const queue = gate(options.parallel)
  const running = new Map<string, Promise<ScenarioResult>>()
  for (const [at, trial] of trials.entries()) {
    const twin = running.get(keyOf(trial.scenario.variantOf, trial.version))
    const result = runAfterTwin(bench, trial, twin, () =>
      queue(() => runUnlessInterrupted(bench, trial, `s${at}`)),
    )
    result.then(options.onFinished, () => undefined)
    running.set(keyOf(trial.scenario.id, trial.version), result)
  }
  return [...running.values()]
}

async function runAfterTwin(
  bench: Bench,
  trial: Trial,
  twin: Promise<ScenarioResult> | undefined,
  run: () => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  if (trial.excluded !== undefined) return unrunResult(bench, trial, trial.excluded)
  const { variantOf } = trial.scenario
  if (variantOf === undefined) return run()
  const outcome = (await twin)?.outcome
  if (outcome === 'pass') return run()
  if (outcome === 'not-applicable' || outcome === 'skipped') {
    return unrunResult(bench, trial, {
      outcome,
      reason: `its passing twin ${variantOf} is ${outcome}`,
    })
  }
  const reason = `its passing twin ${variantOf} did not pass in this run, so a refusal would prove nothing`
  return unrunResult(bench, trial, { outcome: 'blocked', reason })
}

async function runUnlessInterrupted(
  bench: Bench,
  trial: Trial,
  prefix: string,
): Promise<ScenarioResult> {
  if (!bench.interrupted.aborted) return runScenario(bench, trial, prefix)
  return unrunResult(bench, trial, { outcome: 'skipped', reason: 'the run was ended before it' })
}

function keyOf(id: string | undefined, version: string): string {
  return `${id ?? ''}@${version}`
}

/** Lets at most `places` tasks run at once, first come first served. */
function gate(places: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async (task) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free--
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
