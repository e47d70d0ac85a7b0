import { attributes, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent, restartOfVerifier } from '../support/engine.ts'

export default scenario({
  id: 'push.after-restart.silent',
  title: 'The verifier still refuses a silent agent after a restart',
  requirements: ['ATT-FLAG-STAYS', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  seconds: 13,
  alone: 'at its end',
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, check, waitForOthers } = context
    const restart = restartOfVerifier(context)
    const agent = await lockedOutAgent(context) // the defect
    await waitForOthers()
    await restart()
    await agent.logIn()
    check('ATT-FLAG-STAYS', 'capabilities POST of a silent agent after a restart')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
    const other = await machines.pushAgent()
    check('ATT-EVALUATION-PASS', 'evaluation of another agent after the restart')
      .of(attributes(await other.attest(), 'evaluation'))
      .is('pass')
  },
})
