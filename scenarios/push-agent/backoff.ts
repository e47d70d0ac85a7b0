import { scenario } from '../../conformance/scenario.ts'
import {
  CAPABILITIES_FAIL,
  checkGrowth,
  checkOver,
  EVIDENCE_FAILS,
  failAtFirst,
  failLater,
  PATIENT,
  REGISTRATION_FAILS,
  SESSION_FAILS,
  triesOf,
} from './support/check-backoff.ts'

export default scenario({
  id: 'push-agent.backoff',
  title:
    'A push agent increases its delay after each failure of a phase, and resets it after a success',
  requirements: ['PSH-BACKOFF', 'PSH-BACKOFF-REGISTRATION', 'PSH-BACKOFF-OVER'],
  role: 'push_agent',
  seconds: 18,
  since: '3.0',
  variantOf: 'push-agent.cycles',
  async run(context) {
    const agent = await context.pushAgents.start(PATIENT)
    failAtFirst(agent)
    const registrations = await triesOf(agent, REGISTRATION_FAILS)
    const sessions = await triesOf(agent, SESSION_FAILS)
    checkGrowth(context, agent, REGISTRATION_FAILS, registrations)
    await agent.took('evidence')
    checkGrowth(context, agent, SESSION_FAILS, sessions)
    const before = agent.operations.length
    failLater(agent, CAPABILITIES_FAIL)
    const offers = await triesOf(agent, CAPABILITIES_FAIL, before)
    await agent.took('evidence', 1, before)
    checkGrowth(context, agent, CAPABILITIES_FAIL, offers)
    await checkOver(context, agent)
    const after = agent.operations.length
    failLater(agent, EVIDENCE_FAILS)
    checkGrowth(context, agent, EVIDENCE_FAILS, await triesOf(agent, EVIDENCE_FAILS, after))
  },
})
