import { until } from '../../../conformance/attempt/poll.ts'
import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'

const DELIVERED_WITHIN_MS = 3000

/** Whether that payload is delivered within the time limit of an agent. */
export function awaitPayload(
  agent: PullAgent,
  payload: string,
  encoding: BufferEncoding = 'utf8',
): Promise<boolean> {
  return until(() => agent.payload(encoding) === payload, { withinMs: DELIVERED_WITHIN_MS })
}
