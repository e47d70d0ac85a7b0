import { scenario } from '../../conformance/scenario.ts'

const HOUR_MS = 3_600_000

const CLOCKS = { 'an hour behind': -HOUR_MS, 'an hour ahead': HOUR_MS }

export default scenario({
  id: 'push-agent.clocks',
  title: 'A push agent attests to a verifier once its clock is right again',
  requirements: ['PSH-CLOCKS', 'PSH-BACKOFF-OVER'],
  role: 'push_agent',
  seconds: 6,
  since: '3.0',
  async run({ pushAgents, check, observe }) {
    const agent = await pushAgents.start({ verifier: { skewMs: -HOUR_MS } })
    await agent.took('session')
    for (const [says, skewMs] of Object.entries(CLOCKS)) {
      agent.verifier.set({ skewMs })
      agent.verifier.forgetTokens()
      // Two, as the first may have been on its way.
      const seen = await agent.takesInSession('evidence', 2)
      observe('CLOCKS', `it attests to a verifier that is ${says}`, seen)
    }
    agent.verifier.set({ skewMs: 0 })
    agent.verifier.forgetTokens()
    for (const requirement of ['PSH-CLOCKS', 'PSH-BACKOFF-OVER'])
      check(requirement, 'evidence to a verifier whose clock is right again')
        .of(await agent.takesInSession('evidence', 2))
        .is(true)
  },
})
