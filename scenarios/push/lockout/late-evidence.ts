import { flipBit, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { SILENCE, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.late-evidence',
  title: 'The verifier does not end the lockout of a silent agent for evidence requested before',
  requirements: ['ATT-FLAG-STAYS', 'ATT-FLAG-TIMEOUT'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, check, observe } = context
    const [agent, failed] = [await machines.pushAgent(), await machines.pushAgent()]
    await agent.attest()
    await failed.attest({ signature: (bytes) => flipBit(bytes, -1000) })
    const begun = await agent.negotiate()
    await sleepIntervals(context, SILENCE, agent, failed) // the defect
    const late = await agent.submit(begun)
    observe('late', 'status of evidence that was requested before the silence', late.status)
    if (late.status === 202) await agent.verdict(begun)
    check('ATT-FLAG-STAYS', 'capabilities POST after late evidence')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST of an agent that is silent after a failure')
      .of(await failed.offer(failed.credentials))
      .matches(...REFUSED)
  },
})
