import { scenario } from '../../../conformance/scenario.ts'
import { inTime, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.capabilities-only',
  title: 'The verifier treats capabilities without evidence as silence or as a sign of life',
  requirements: ['ATT-FLAG-WHICH-STARTS'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  async run(context) {
    const { machines, check, observe } = context
    const [agent, unheard] = [await machines.pushAgent(), await machines.pushAgent()]
    await agent.attest()
    await unheard.negotiate()
    await sleepIntervals(context, 3, agent)
    agent.negotiationIn(await inTime(context, agent, () => agent.offerInTurn()))
    await sleepIntervals(context, 3, agent, unheard)
    const { status } = await agent.offer(agent.credentials)
    check(
      'ATT-FLAG-WHICH-STARTS',
      'capabilities POST after others, six quote intervals after evidence',
    )
      .of(status)
      .meets({
        'the capabilities': (seen) => seen === 201,
        'the evidence': (seen) => seen === 403,
      })
    observe('TIMERSTART', 'status after evidence, and capabilities since', status)
    const first = await unheard.offer(unheard.credentials)
    observe('TIMERSTART', 'status of an agent that never sent evidence', first.status)
  },
})
