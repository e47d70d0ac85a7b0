import { attributes, scenario } from '../../../conformance/scenario.ts'
import { restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'push.after-restart.challenge-fresh',
  title: 'The verifier accepts evidence over a new challenge after a restart',
  requirements: ['ATT-EVALUATION-PASS', 'ATT-INDEX-INCREMENTS'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  async run(context) {
    const { machines, check } = context
    const agent = await machines.pushAgent()
    const before = await agent.negotiate()
    await restartVerifier(context)
    await agent.logIn()
    const after = await agent.negotiate()
    check('ATT-INDEX-INCREMENTS', 'index of the attestation after the restart')
      .of(Number(after.index))
      .is(Number(before.index) + 1)
    await agent.submit(after)
    const seen = await agent.verdict(after)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
