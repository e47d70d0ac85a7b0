import { attributes, isRefusal, type PushAgent, type Reply } from '../../../conformance/scenario.ts'

type Agent = Pick<PushAgent, 'negotiationIn' | 'submit' | 'verdict'>

/** The evaluation of evidence for the answer to an offer; `refused` if the offer or the evidence is. */
export async function outcomeOf(agent: Agent, offered: Reply): Promise<unknown> {
  if (isRefusal(offered)) return 'refused'
  const negotiation = agent.negotiationIn(offered)
  const sent = await agent.submit(negotiation)
  return isRefusal(sent) ? 'refused' : attributes(await agent.verdict(negotiation), 'evaluation')
}
