import type { PushAgentProcess } from '../peers/push-agent-process.ts'
import type { PushOperation } from '../peers/push-timeline.ts'

/** The part of a configured wait that remains at least after jitter. */
const LEAST_PART = 0.25
/** The shortest wait, for agents without a setting for it. */
const LEAST_MS = 25

/** The shortest pause that counts as a wait after a failure, in milliseconds. */
export function leastPause({ patience }: Pick<PushAgentProcess, 'patience'>): number {
  return patience.taken.backoff ? Math.floor(patience.backoff * LEAST_PART) : LEAST_MS
}

/** Milliseconds between successive operations. */
export function gapsOf(operations: readonly Pick<PushOperation, 'request'>[]): readonly number[] {
  return operations.flatMap(({ request: { at } }, index) => {
    const before = operations[index - 1]
    return before ? [Math.round(at - before.request.at)] : []
  })
}
