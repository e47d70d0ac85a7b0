import { setMaxListeners } from 'node:events'
import { deferred } from '../attempt/deferred.ts'
import { seededRandom, shuffled } from '../attempt/random.ts'
import { type Slot, Slots } from '../attempt/slots.ts'
import { groupBy } from '../report/group-by.ts'
import type { ScenarioResult } from '../report/result.ts'
import type { Trial } from './plan.ts'
import { decideUnstarted } from './result/ended-early.ts'
import { isStanding } from './result/outcome.ts'
import type { RunEnvironment } from './run-environment.ts'
import { runScenario, unrunResult } from './run-scenario.ts'

interface RunOptions {
  /** Limits the scenarios that compute at the same time; those that wait do not count. */
  readonly slots: Slots
  readonly onFinished: (result: ScenarioResult) => void
}

/**
 * Starts every trial in an order derived from the seed, each after its twin under the same version. Returns a promise
 * for each, in the order of the plan. Long scenarios and the twins of long ones start first; those that run alone
 * follow, one at a time. One that runs alone at its end starts with the others and waits for its turn.
 */
export function startTrials(
  environment: RunEnvironment,
  trials: readonly Trial[],
  options: RunOptions,
): readonly Promise<ScenarioResult>[] {
  // Every running scenario adds a listener.
  setMaxListeners(0, environment.interrupted, environment.health.died)
  const alone = new Slots(1)
  const ends = new Map(trials.map((trial) => [keyOfTrial(trial), deferred<ScenarioResult>()]))
  const together = trials.filter(({ scenario }) => scenario.alone === undefined)
  const waiting = new Map(trials.map((trial) => [keyOfTrial(trial), deferred<void>()]))
  // One that runs alone at its end must not be disturbed either before it waits for its turn.
  const othersEnded = Promise.allSettled([
    ...together.map((one) => ends.get(keyOfTrial(one))?.promise),
    ...trials
      .filter(({ scenario }) => scenario.alone === 'at its end')
      .map(keyOfTrial)
      .map((key) => Promise.race([waiting.get(key)?.promise, ends.get(key)?.promise])),
  ])
  const slotsOf = ({ scenario }: Trial): Slots => {
    if (scenario.alone === undefined) return options.slots
    // One that waits for the others must not keep them from beginning.
    return scenario.alone === true ? alone : new Slots(1)
  }
  /** Resolves when no other trial runs; none begins before the end of this one. */
  const takeTurn = async (trial: Trial): Promise<void> => {
    waiting.get(keyOfTrial(trial))?.resolve()
    await othersEnded
    const { promise: begun, resolve } = deferred<void>()
    void alone.run(async () => {
      resolve()
      await Promise.allSettled([ends.get(keyOfTrial(trial))?.promise])
    })
    await begun
  }
  const urgency = urgencies(trials)
  const begin = (trial: Trial, at: number): void => {
    const twin = ends.get(keyOf(trial.scenario.variantOf, trial.version))?.promise
    const run = async () => {
      if (trial.scenario.alone === true) await othersEnded
      const task = (slot: Slot) => {
        if (trial.scenario.alone === 'at its end') {
          let turn: Promise<void> | undefined
          slot.waitForOthers = () => slot.queue(() => (turn ??= takeTurn(trial)))
        }
        return runUnlessEnded(environment, trial, `s${at}`, slot)
      }
      const polled = polledBy(trial)
      return slotsOf(trial).run(task, { urgency: urgency.get(keyOfTrial(trial)), polled })
    }
    const end = ends.get(keyOfTrial(trial))
    runAfterTwin(environment, trial, twin, run).then(
      (result) => {
        options.onFinished(result)
        end?.resolve(result)
      },
      (error: unknown) => end?.reject(error),
    )
  }
  const drawn = shuffled([...trials.entries()], seededRandom(environment.seed, 'order'))
  const urgencyOf = ([, trial]: (typeof drawn)[number]) => urgency.get(keyOfTrial(trial)) ?? 0
  const ordered = drawn.toSorted((one, other) => urgencyOf(other) - urgencyOf(one))
  for (const [at, trial] of ordered) begin(trial, at)
  return [...ends.values()].map(({ promise }) => promise)
}

/** Number of agents of a scenario that has a verifier poll some. */
const FEW_POLLED = 4

function polledBy({ scenario: { polled, needs = [] } }: Trial): number {
  return polled ?? (needs.includes('pull_mode') ? FEW_POLLED : 0)
}

/** Seconds that a variant counts for, so that the twin of short ones begins before what nothing waits for. */
const EACH_VARIANT = 0.1

/** Seconds that each trial takes, by key, together with the longest chain of variants that wait for it. */
function urgencies(trials: readonly Trial[]): ReadonlyMap<string, number> {
  const variants = groupBy(trials, ({ scenario, version }) => keyOf(scenario.variantOf, version))
  const urgencyOf = (trial: Trial): number => {
    const waiting = variants.get(keyOfTrial(trial)) ?? []
    const longest = Math.max(0, ...waiting.map((one) => EACH_VARIANT + urgencyOf(one)))
    return (trial.scenario.seconds ?? 0) + longest
  }
  return new Map(trials.map((trial) => [keyOfTrial(trial), urgencyOf(trial)]))
}

async function runAfterTwin(
  environment: RunEnvironment,
  trial: Trial,
  twin: Promise<ScenarioResult> | undefined,
  run: () => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  if (trial.excluded !== undefined) return unrunResult(environment, trial, trial.excluded)
  const { variantOf } = trial.scenario
  if (variantOf === undefined) return run()
  const ended = await twin
  const outcome = ended?.outcome
  if (outcome !== undefined && isStanding(outcome)) return run()
  const unstarted = decideUnstarted(environment)
  if (unstarted !== undefined) return unrunResult(environment, trial, unstarted)
  if (outcome === 'not-applicable' || outcome === 'skipped') {
    const why = ended?.reason === undefined ? '' : `: ${ended.reason}`
    const reason = `its passing twin ${variantOf} is ${outcome}${why}`
    return unrunResult(environment, trial, { outcome, reason })
  }
  return unrunResult(environment, trial, blockedBy(variantOf, ended))
}

/** A trial whose twin did not pass; if the twin is blocked too, the cause is the failure that blocks it. */
function blockedBy(
  twin: string,
  ended: ScenarioResult | undefined,
): Pick<ScenarioResult, 'outcome' | 'reason' | 'blocked_by'> {
  const why = `its passing twin ${twin} did not pass, so a refusal would prove nothing`
  if (ended === undefined) return { outcome: 'blocked', reason: why }
  const { id, version, outcome, reason = outcome } = ended
  const blocker = ended.blocked_by ?? { id, version, outcome, reason }
  const first = blocker.id === twin ? '' : `${blocker.id}: `
  return { outcome: 'blocked', reason: `${why}: ${first}${blocker.reason}`, blocked_by: blocker }
}

async function runUnlessEnded(
  environment: RunEnvironment,
  trial: Trial,
  prefix: string,
  slot: Slot,
): Promise<ScenarioResult> {
  const unstarted = decideUnstarted(environment)
  if (unstarted !== undefined) return unrunResult(environment, trial, unstarted)
  return runScenario(environment, trial, prefix, slot)
}

function keyOfTrial({ scenario, version }: Trial): string {
  return keyOf(scenario.id, version)
}

function keyOf(id: string | undefined, version: string): string {
  return `${id ?? ''}@${version}`
}
