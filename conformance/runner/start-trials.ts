import type { ScenarioResult } from '../report/result.ts'
import type { Bench } from './bench.ts'
import { deferred } from './deferred.ts'
import { isStanding } from './outcome.ts'
import type { Trial } from './plan.ts'
import { seededRandom, shuffled } from './random.ts'
import { runScenario, unrunResult } from './run-scenario.ts'

export interface RunOptions {
  /** How many scenarios run at the same time. */
  readonly jobs: number
  readonly onFinished: (result: ScenarioResult) => void
}

/**
 * Starts every trial in an order that follows from the seed, each after its twin under the same
 * version; one promise for each, in the order of the plan. Those that run alone follow, one at a time.
 */
export function startTrials(
  bench: Bench,
  trials: readonly Trial[],
  options: RunOptions,
): readonly Promise<ScenarioResult>[] {
  const places = { together: gate(options.jobs), alone: gate(1) }
  const ends = new Map(trials.map((trial) => [keyOfTrial(trial), deferred<ScenarioResult>()]))
  const together = trials.filter(({ scenario }) => scenario.alone !== true)
  const othersEnded = Promise.allSettled(together.map((one) => ends.get(keyOfTrial(one))?.promise))
  const inTurn = ({ scenario }: Trial) => (scenario.alone ? places.alone : places.together)
  const begin = (trial: Trial, at: number): void => {
    const twin = ends.get(keyOf(trial.scenario.variantOf, trial.version))?.promise
    const run = async () => {
      if (trial.scenario.alone) await othersEnded
      return inTurn(trial)(() => runUnlessInterrupted(bench, trial, `s${at}`))
    }
    const end = ends.get(keyOfTrial(trial))
    runAfterTwin(bench, trial, twin, run).then(
      (result) => {
        options.onFinished(result)
        end?.resolve(result)
      },
      (error: unknown) => end?.reject(error),
    )
  }
  shuffled([...trials.entries()], seededRandom(bench.seed, 'order')).forEach(([at, trial]) => {
    begin(trial, at)
  })
  return [...ends.values()].map(({ promise }) => promise)
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
  if (outcome !== undefined && isStanding(outcome)) return run()
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
  if (bench.interrupted.aborted)
    return unrunResult(bench, trial, { outcome: 'skipped', reason: 'the run was ended before it' })
  const result = await runScenario(bench, trial, prefix)
  if (!isStanding(result.outcome)) await bench.recovered()
  return result
}

function keyOfTrial({ scenario, version }: Trial): string {
  return keyOf(scenario.id, version)
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
