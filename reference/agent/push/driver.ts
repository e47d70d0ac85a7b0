import type { PushEnvironment } from './environment.ts'
import type { PushEvent } from './events.ts'
import { BLANK, type PushMemory } from './memory.ts'
import { pushMoveFor } from './moves.ts'
import { whyOf } from './outcomes.ts'
import type { PushAgentParts } from './push-agent-parts.ts'
import type { PushEventKind, PushState } from './states.ts'

/** A transition that was made, for logs and observers; it holds no token and no challenge. */
export interface PushStep {
  readonly from: PushState
  readonly event: PushEventKind
  readonly to: PushState
  /** What went wrong, in a clause. */
  readonly why?: string
  /** Milliseconds that the wait of the state takes that is reached now. */
  readonly pause: number
  /** Failures in a row. */
  readonly failures: number
}

/** Runs the state machine of a push agent. */
interface PushDriver {
  readonly state: PushState
  readonly memory: PushMemory
  /** Runs the handler of the state and makes the transition for its event; `stopped` once the signal is aborted. */
  step(signal: AbortSignal): Promise<PushStep>
}

/** The initial state and memory of an agent. */
interface PushStart {
  readonly state: PushState
  readonly memory: PushMemory
}

export function pushDriver(
  environment: PushEnvironment,
  { moves, effects, handlers }: PushAgentParts,
  start: PushStart = { state: 'Unregistered', memory: BLANK },
): PushDriver {
  let { state, memory } = start
  const happens = async (signal: AbortSignal): Promise<PushEvent> => {
    if (signal.aborted) return { kind: 'stopped' }
    const event = await handlers[state](environment, memory, signal).catch(faulted)
    return signal.aborted ? { kind: 'stopped' } : event
  }
  return {
    get state() {
      return state
    },
    get memory() {
      return memory
    },
    async step(signal) {
      const event = await happens(signal)
      const move = pushMoveFor(moves, state, event.kind)
      memory = move.does.reduce(
        (before, effect) => effects[effect](before, event, environment),
        memory,
      )
      state = move.to
      const why = 'why' in event ? { why: event.why } : {}
      const { pause, failures } = memory
      return { from: move.from, event: event.kind, to: move.to, ...why, pause, failures }
    },
  }
}

/** A local fault: the TPM, a log or the disk failed. It may be transient, like any other. */
function faulted(error: unknown): PushEvent {
  return { kind: 'faulted', why: whyOf(error) }
}

/** Steps until the signal is aborted; reports each step. */
export async function runPushAgent(
  driver: PushDriver,
  signal: AbortSignal,
  onStep: (step: PushStep) => void,
): Promise<void> {
  while (driver.state !== 'Stopped') onStep(await driver.step(signal))
}
