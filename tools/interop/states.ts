import { until } from '../../conformance/attempt/poll.ts'
import { administratorOf, memberOf } from './administrator.ts'
import { Disagreement } from './disagreement.ts'

const WITHIN_MS = 30_000
const EVERY_MS = 250

/** Values of `operational_state`. */
export const GET_QUOTE = 3
export const INVALID_QUOTE = 9
export const TENANT_FAILED = 10

/** Of an agent at a verifier. */
export interface AgentAt {
  /** State of the verifier, with its authority. */
  readonly directory: string
  readonly port: number
  readonly id: string
}

/** Waits until the verifier's record of an agent has this value in this member. */
export async function awaitMember(
  { directory, port, id }: AgentAt,
  member: string,
  expected: unknown,
): Promise<void> {
  const ask = administratorOf(directory)
  let seen: unknown
  const isSo = async () => {
    const { body } = await ask(port, `/v2.5/agents/${id}`)
    seen = memberOf(body, 'results', member)
    return seen === expected
  }
  if (await until(isSo, { withinMs: WITHIN_MS, everyMs: EVERY_MS })) return
  throw new Disagreement(`${member} at the verifier`, String(expected), String(seen))
}

/** Goes on when a server, asked as its administrator, knows the agent no more. */
export async function expectGone({ directory, port, id }: AgentAt): Promise<void> {
  const { status } = await administratorOf(directory)(port, `/v2.5/agents/${id}`)
  if (status !== 404) throw new Disagreement('the agent once deleted', 'HTTP 404', `HTTP ${status}`)
}
