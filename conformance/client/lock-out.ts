import type { Context } from '../runner/scenario.ts'
import type { PushAgent } from './push-agent.ts'
import { isRefusal } from './reply.ts'

/** Lets quote intervals pass, and logs the agents in again, as their tokens may have ended meanwhile. */
export async function sleepIntervals(
  { elapse, quoteIntervalMs }: Context,
  count: number,
  ...agents: readonly PushAgent[]
): Promise<void> {
  await elapse(count * quoteIntervalMs, `${count} quote intervals are`)
  for (const agent of agents) await agent.logIn()
}

/** Longer than an agent may be silent: one more than five, as deployments differ in the moment that starts the time. */
export const SILENCE = 6

/** An agent that was refused for its silence; where none is, there is nothing to come back from. */
export async function lockedOutAgent(context: Context): Promise<PushAgent> {
  const agent = await context.machines.pushAgent()
  await agent.attest()
  await sleepIntervals(context, SILENCE, agent)
  if (!isRefusal(await agent.offer(agent.speaker)))
    context.notApplicable('the deployment does not refuse an agent for its silence')
  return agent
}
