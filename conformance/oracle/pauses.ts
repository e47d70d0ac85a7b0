import type { PushAgentProcess } from '../peers/push-agent-process.ts'
import type { PushOperation } from '../peers/push-timeline.ts'

/** Of a wait that the agent was told, what chance may leave of it. */
const LEAST_PART = 0.25
/** What counts as a wait at all where the agent cannot be told how long to wait. */
const LEAST_MS = 25

/** The shortest time that counts as a wait after a failure, in milliseconds. */
export function leastPause({ patience }: Pick<PushAgentProcess, 'patience'>): number {
  return patience.taken.backoff ? Math.floor(patience.backoff * LEAST_PART) : LEAST_MS
}

/** Milliseconds between one deed and the next, in order. */
export function gapsOf(operations: readonly Pick<PushOperation, 'heard'>[]): readonly number[] {
  return operations.flatMap(({ heard: { at } }, index) => {
    const before = operations[index - 1]
    return before ? [Math.round(at - before.heard.at)] : []
  })
}
