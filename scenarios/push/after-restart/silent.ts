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
    const unasked = await machines.lightAgent()
    await unasked.attest()
    // By its end the first agent has been silent for as long.
    const agent = await lockedOutAgent(context) // the defect
    await waitForOthers()
    await restart()
    for (const [who, silent] of [
      ['a silent agent that was refused before', agent],
      ['one that sent nothing in its silence', unasked],
    ] as const) {
      await silent.logIn()
      check('ATT-FLAG-STAYS', `capabilities POST, after a restart, of ${who}`)
        .of(await silent.offer(silent.credentials))
        .matches(...REFUSED)
    }
    const other = await machines.pushAgent()
    check('ATT-EVALUATION-PASS', 'evaluation of another agent after the restart')
      .of(attributes(await other.attest(), 'evaluation'))
      .is('pass')
  },
})
