import { Overslept } from '../attempt/endings.ts'
import { isRefusal, type Reply } from '../attempt/reply.ts'
import type { PushAgent } from '../client/agents/push-agent.ts'
import type { Context } from '../scenario.ts'

/** Lets quote intervals pass, and logs the agents in again, as their tokens may have ended meanwhile. */
export async function sleepIntervals(
  { elapse, quoteIntervalMs }: Context,
  count: number,
  ...agents: readonly PushAgent[]
): Promise<void> {
  await elapse(count * quoteIntervalMs, `${count} quote intervals are`)
  for (const agent of agents) await agent.logIn()
}

/** Quote intervals of silence after which an agent may be refused. */
const PATIENCE = 5

/**
 * A step of an agent whose last evidence is not long ago. Where it is refused after all and so much time went by, it
 * was the harness that was late, and nothing is known of the deployment.
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
    'this machine is too busy: five quote intervals went by where three were meant to',
  )
}

/** Longer than an agent may be silent: one more than five, as deployments differ in the moment that starts the time. */
export const SILENCE = 6

/** An agent that was refused for its silence; where none is, there is nothing to come back from. */
export async function lockedOutAgent(context: Context): Promise<PushAgent> {
  const agent = await context.machines.pushAgent()
  await agent.attest()
  await sleepIntervals(context, SILENCE, agent)
  if (!isRefusal(await agent.offer(agent.credentials)))
    context.notApplicable('the deployment does not refuse an agent for its silence')
  return agent
}
