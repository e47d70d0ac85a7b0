import { flipBit, isRefusal, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { inTime, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.another-agent',
  title:
    'The verifier locks out a silent agent without affecting agents that sent evidence, passed or failed',
  requirements: ['ATT-FLAG-PER-AGENT', 'ATT-FLAG-TIMEOUT', 'ATT-FLAG-RESCHEDULED'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, verifier, check } = context
    const [agent, silent] = [await machines.pushAgent(), await machines.pushAgent()]
    const failing = await machines.pushAgent()
    await silent.attest()
    for (const one of [agent, failing]) await one.attest()
    await sleepIntervals(context, 3, agent, failing)
    await inTime(context, agent, () => agent.attest()) // the defect: the silent agent sends no evidence
    await inTime(context, failing, () =>
      failing.attest({ signature: (all) => flipBit(all, -1000) }),
    )
    // Ambiguity FAILFLAG: a failure may stop an agent at once.
    const isStopped = isRefusal(await verifier.patiently(() => failing.offer(failing.credentials)))
    await sleepIntervals(context, 3, agent, silent, failing)
    check('ATT-FLAG-PER-AGENT', 'capabilities POST of the agent that went on')
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST of the silent agent')
      .of(await silent.offer(silent.credentials))
      .matches(...REFUSED)
    if (!isStopped)
      check('ATT-FLAG-RESCHEDULED', 'capabilities POST three quote intervals after failed evidence')
        .of((await inTime(context, failing, () => failing.offerInTurn())).status)
        .is(201)
  },
})
