import { until } from '../../conformance/attempt/poll.ts'
import { administratorOf, memberOf } from './administrator.ts'
import { Disagreement } from './disagreement.ts'

const WITHIN_MS = 30_000
const EVERY_MS = 250

/** Values of `operational_state`. */
export const GET_QUOTE = 3
export const INVALID_QUOTE = 9
export const TENANT_FAILED = 10

/** An agent at a verifier. */
interface AgentAt {
  /** State directory of the verifier, with its CA. */
  readonly directory: string
  readonly port: number
  readonly id: string
}

/** Waits until a member of the verifier's agent record has the expected value. */
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

/** Throws a {@link Disagreement} unless the server returns 404 for the agent to its administrator. */
export async function expectGone({ directory, port, id }: AgentAt): Promise<void> {
  const { status } = await administratorOf(directory)(port, `/v2.5/agents/${id}`)
  if (status !== 404) throw new Disagreement('the deleted agent', 'HTTP 404', `HTTP ${status}`)
}
