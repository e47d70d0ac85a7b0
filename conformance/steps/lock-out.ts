import { Overslept } from '../attempt/endings.ts'
import { isRefusal, type Reply } from '../attempt/reply.ts'
import type { PushAgent } from '../client/agents/push-agent.ts'
import type { Context } from '../scenario.ts'

/** Lets quote intervals pass and logs the agents in again, because their tokens may have expired. */
export async function sleepIntervals(
  { elapse, quoteIntervalMs }: Context,
  count: number,
  ...agents: readonly PushAgent[]
): Promise<void> {
  await elapse(count * quoteIntervalMs, `${count} quote intervals are`)
  await Promise.all(agents.map((agent) => agent.logIn()))
}

/** Quote intervals without evidence after which the verifier may refuse an agent. */
export const PATIENCE = 5

/**
 * Runs a step of an agent that sent evidence recently, or was added.
 *
 * @throws {Overslept} if the step is refused after the agent was silent for too long, because the harness was late
 */
export async function inTime(
  { quoteIntervalMs }: Pick<Context, 'quoteIntervalMs'>,
  agent: Pick<PushAgent, 'silentMs'>,
  step: () => Promise<Reply>,
): Promise<Reply> {
  const silent = agent.silentMs()
  const isLate = () => Math.max(silent, agent.silentMs()) >= PATIENCE * quoteIntervalMs
  try {
    const reply = await step()
    if (!isRefusal(reply) || !isLate()) return reply
  } catch (error) {
    if (!isLate()) throw error
  }
  throw new Overslept(
    'this machine is too busy: five quote intervals passed instead of three; reduce the load and run again',
  )
}

/** Quote intervals that surely lock an agent out: the count starts when the evidence is received, or before. */
export const SILENCE = 5.5

/** An agent that is locked out after silence. Not applicable if the deployment does not lock agents out. */
export async function lockedOutAgent(context: Context): Promise<PushAgent> {
  const agent = await context.machines.pushAgent()
  await inTime(context, agent, () => agent.attest())
  await sleepIntervals(context, SILENCE, agent)
  if (!isRefusal(await agent.offer(agent.credentials)))
    context.notApplicable('the deployment does not refuse an agent for its silence')
  return agent
}
