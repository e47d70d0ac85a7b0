import {
  CAPABILITIES_FAIL,
  checkPushBackoff,
  checkPushRecovered,
  LATER_FAILURES,
  PUSH_PATIENT,
  REGISTRATION_FAILS,
  SESSION_FAILS,
  scenario,
} from '../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.backoff',
  title: 'A push agent waits longer after each failure of a phase, and as before once it is over',
  requirements: ['PSH-BACKOFF', 'PSH-BACKOFF-REGISTRATION', 'PSH-BACKOFF-OVER'],
  role: 'push_agent',
  seconds: 12,
  since: '3.0',
  variantOf: 'push-agent.cycles',
  async run(context) {
    const agent = await context.pushAgents.start(PUSH_PATIENT)
    await checkPushBackoff(context, agent, REGISTRATION_FAILS)
    await checkPushBackoff(context, agent, SESSION_FAILS)
    await agent.took('evidence')
    const before = agent.deeds.length
    agent.verifier.play(LATER_FAILURES)
    await checkPushBackoff(context, agent, CAPABILITIES_FAIL, before)
    await agent.took('evidence', 1, before)
    await checkPushRecovered(context, agent)
  },
})
