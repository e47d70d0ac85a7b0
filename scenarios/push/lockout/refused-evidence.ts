import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { SILENCE, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.refused-evidence',
  title: 'The verifier does not take evidence that it refuses for a sign of life',
  requirements: ['ATT-FLAG-TIMEOUT'],
  role: 'verifier',
  since: '3.0',
  seconds: 13,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, check, elapse, quoteIntervalMs } = context
    const agent = await machines.pushAgent()
    const begun = await agent.negotiate()
    await agent.submit(begun)
    await agent.verdict(begun)
    for (const says of ['two', 'four']) {
      await sleepIntervals(context, 2, agent)
      check('ATT-FLAG-TIMEOUT', `the same evidence again, ${says} quote intervals later`)
        .of(await agent.submit(begun)) // the defect
        .matches(...REFUSED)
    }
    await elapse(SILENCE * quoteIntervalMs - agent.silentMs(), 'the rest of the intervals is')
    await agent.logIn()
    check('ATT-FLAG-TIMEOUT', `capabilities POST ${SILENCE} quote intervals after evidence`)
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
  },
})
