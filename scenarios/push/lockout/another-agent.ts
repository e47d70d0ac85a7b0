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
    for (const one of [silent, agent, failing]) await inTime(context, one, () => one.attest())
    const pass = () => inTime(context, agent, () => agent.attest())
    const fail = () =>
      inTime(context, failing, () => failing.attest({ signature: (all) => flipBit(all, -1000) }))
    await sleepIntervals(context, 2, agent, failing)
    await Promise.all([pass(), fail()]) // the defect: the silent agent sends no evidence
    // Ambiguity FAILFLAG: a failure may stop an agent at once.
    const isStopped = isRefusal(await verifier.patiently(() => failing.offer(failing.credentials)))
    await sleepIntervals(context, 2, agent, failing)
    await Promise.all([pass(), isStopped || fail()])
    await sleepIntervals(context, 2, agent, silent, failing)
    check('ATT-FLAG-PER-AGENT', 'capabilities POST of the agent that went on')
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST of the silent agent')
      .of(await silent.offer(silent.credentials))
      .matches(...REFUSED)
    if (!isStopped)
      check('ATT-FLAG-RESCHEDULED', 'capabilities POST of an agent whose evidence failed twice')
        .of((await inTime(context, failing, () => failing.offerInTurn())).status)
        .is(201)
  },
})
