import { attributes, scenario } from '../../../conformance/scenario.ts'
import { restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'push.after-restart.challenge-replayed',
  title: 'The verifier rejects a quote over a challenge from before its restart',
  requirements: ['ATT-QUOTE-OVER-CHALLENGE'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  variantOf: 'push.after-restart.challenge-fresh',
  async run(context) {
    const { machines, check } = context
    const agent = await machines.pushAgent()
    const before = await agent.negotiate()
    await restartVerifier(context)
    await agent.logIn()
    const after = await agent.negotiate()
    await agent.submit(after, { challenge: before.challenge }) // the defect
    const seen = await agent.verdict(after)
    check('ATT-QUOTE-OVER-CHALLENGE', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
  },
})
