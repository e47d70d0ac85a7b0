import { until } from '../../conformance/attempt/poll.ts'
import { administratorOf } from './administrator.ts'
import { Disagreement } from './disagreement.ts'

const WITHIN_MS = 30_000
const EVERY_MS = 200

/** Waits until a registrar returns an agent's record to the administrator of `directory`. */
export async function awaitRegistered(directory: string, port: number, id: string): Promise<void> {
  const ask = administratorOf(directory)
  let status = 0
  const isThere = async () => {
    status = (await ask(port, `/v2.5/agents/${id}`)).status
    return status === 200
  }
  if (await until(isThere, { withinMs: WITHIN_MS, everyMs: EVERY_MS })) return
  throw new Disagreement('the agent at the registrar', 'HTTP 200', `HTTP ${status}`)
}
