import { attributes, scenario } from '../../../conformance/scenario.ts'
import { inTime, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.in-time',
  title:
    'The verifier accepts an agent whose last evidence is within five quote intervals, or is yet to come',
  requirements: ['ATT-FLAG-BEFORE-TIMEOUT', 'ATT-FLAG-RESCHEDULED', 'ATT-FLAG-NEVER-ATTESTED'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  async run(context) {
    const { machines, check } = context
    const added = await machines.softAgent({ until: 'enrolled' })
    const agent = await machines.pushAgent()
    await agent.attest()
    await sleepIntervals(context, 3, agent)
    check('ATT-FLAG-BEFORE-TIMEOUT', 'capabilities POST three quote intervals after evidence')
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    const seen = await inTime(context, agent, () => agent.attest())
    check('ATT-FLAG-BEFORE-TIMEOUT', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    await sleepIntervals(context, 3, agent)
    check('ATT-FLAG-RESCHEDULED', 'capabilities POST six quote intervals after the first evidence')
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    await added.logIn()
    check(
      'ATT-FLAG-NEVER-ATTESTED',
      'first capabilities POST of another agent, six quote intervals after it was added',
    )
      .of((await added.offer(added.credentials)).status)
      .is(201)
  },
})
