import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { inTime, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.another-agent',
  title: 'The verifier locks out a silent agent without affecting another agent',
  requirements: ['ATT-FLAG-PER-AGENT', 'ATT-FLAG-TIMEOUT'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, check } = context
    const [agent, silent] = [await machines.pushAgent(), await machines.pushAgent()]
    await silent.attest()
    await agent.attest()
    await sleepIntervals(context, 3, agent)
    await inTime(context, agent, () => agent.attest()) // the defect: the other agent sends no evidence
    await sleepIntervals(context, 3, agent, silent)
    check('ATT-FLAG-PER-AGENT', 'capabilities POST of the agent that went on')
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST of the silent agent')
      .of(await silent.offer(silent.credentials))
      .matches(...REFUSED)
  },
})
