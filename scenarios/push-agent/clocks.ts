import { scenario } from '../../conformance/scenario.ts'

const HOUR_MS = 3_600_000

export default scenario({
  id: 'push-agent.clocks',
  title: 'A push agent attests to a verifier with a different clock',
  requirements: ['PSH-CLOCKS', 'PSH-SESSION-FIRST'],
  role: 'push_agent',
  seconds: 6,
  since: '3.0',
  async run({ pushAgents, check, observe }) {
    const agent = await pushAgents.start({ verifier: { skewMs: -HOUR_MS } })
    const [first] = await agent.took('session')
    check('PSH-SESSION-FIRST', 'a session is opened').of(first?.step).is('session')
    for (const [says, skewMs] of [
      ['an hour behind', -HOUR_MS],
      ['an hour ahead', HOUR_MS],
    ] as const) {
      agent.verifier.set({ skewMs })
      agent.verifier.forgetTokens()
      const seen = await agent.mayTake('evidence', 2)
      check('PSH-CLOCKS', `it attests to a verifier that is ${says}`)
        .of(seen)
        .isOneOf([true, false])
      observe('CLOCKS', `it attests to a verifier that is ${says}`, seen)
    }
  },
})
