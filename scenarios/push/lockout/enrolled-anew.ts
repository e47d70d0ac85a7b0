import { attributes, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.enrolled-anew',
  title: 'The verifier lets a silent agent attest again after it is deleted and added again',
  requirements: ['ATT-FLAG-RECOVERS-REGISTRATION'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  async run(context) {
    const { verifier, check } = context
    const agent = await lockedOutAgent(context)
    await verifier.deleteAgent(agent.id)
    await agent.enrol()
    await agent.logIn()
    check('ATT-FLAG-RECOVERS-REGISTRATION', 'capabilities POST after it was added again')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    const seen = await agent.attest()
    const evaluation = attributes(seen, 'evaluation')
    check('ATT-FLAG-RECOVERS-REGISTRATION', 'evaluation').of(evaluation).is('pass')
  },
})
