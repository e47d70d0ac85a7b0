import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { OUTCOME_ROWS, sumOf } from '../../conformance/report/outcomes.ts'
import type { RunResult, Verdict } from '../../conformance/report/result.ts'
import type { History, Round, ScenarioOutcome } from './history.ts'
import { presentRound } from './present-round.ts'
import type { RoundResult } from './run-round.ts'

/** What a watch uses of the world. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits; ends early when `stop` is aborted. */
  wait(ms: number, stop: AbortSignal): Promise<void>
  run(): Promise<RoundResult>
  /** Called with the history after each round. */
  publish(history: History): Promise<void>
}

/** What a watch is asked to do. */
export interface WatchRequest {
  readonly history: History
  /** Milliseconds from the start of one round to that of the next. */
  readonly every: number
  /** The number of rounds; without one it goes on until `stop` is aborted. */
  readonly rounds?: number
  readonly stop: AbortSignal
  readonly stream: OutputStream
}

const CODES: Readonly<Record<Verdict, number>> = {
  conforms: 0,
  'part passed': 0,
  'matches the baseline': 0,
  'does not conform': 1,
  'no verdict': 2,
}

/**
 * Runs rounds, and prints and stores what each changed. A round that takes longer than the interval is followed by the
 * next at once; two never run together. Returns the exit code of the last whole round.
 */
export async function watch(request: WatchRequest, world: Surroundings): Promise<number> {
  const { history, every, rounds = Number.POSITIVE_INFINITY, stop, stream } = request
  let code = CODES['no verdict']
  for (let number = 1; ; number += 1) {
    const began = world.now()
    const found = await world.run()
    // What a signal ended says nothing about the deployment.
    if (stop.aborted) return code
    const round = roundOf(found, began, world.now())
    const changes = history.add(round, outcomesOf(found))
    code = CODES[round.verdict]
    stream.write(presentRound(round, changes))
    await world.publish(history)
    if (number >= rounds) return code
    const next = Math.max(world.now(), began + every)
    stream.write(`  next round at ${new Date(next).toISOString()}\n`)
    await world.wait(next - world.now(), stop)
    if (stop.aborted) return code
  }
}

function roundOf(found: RoundResult, began: number, ended: number): Round {
  const seconds = Math.round((ended - began) / 100) / 10
  const started = new Date(began).toISOString()
  if (!('result' in found)) {
    const nothing = { assay_version: '', seed: '', passed: 0, failed: 0 }
    return { started, seconds, verdict: 'no verdict', says: found.says, ...nothing }
  }
  const { result } = found
  const [passed, failed] = [sumOf(result.totals, 'passed'), sumOf(result.totals, 'failed')]
  const { verdict, assay_version, seed } = result
  const says = result.causes[0]?.says ?? result.complaints[0] ?? ''
  return { started, seconds, verdict, says, assay_version, seed, passed, failed }
}

/** The outcomes of a run that was not ended early: of another, a missing scenario says nothing. */
function outcomesOf(found: RoundResult): readonly ScenarioOutcome[] | undefined {
  if (!('result' in found) || found.result.ended_early !== undefined) return undefined
  return found.result.scenarios.map(outcomeOf)
}

function outcomeOf({
  id,
  version,
  outcome,
  reason = '',
}: RunResult['scenarios'][number]): ScenarioOutcome {
  const isPass = OUTCOME_ROWS[outcome].tally === 'passed'
  return { scenario: id, version, outcome, reason: isPass ? '' : reason }
}
