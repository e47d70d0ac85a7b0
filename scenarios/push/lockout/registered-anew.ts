import { isRefusal, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent, SILENCE, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.registered-anew',
  title: 'A silent agent that only registers again attests, or is rejected until it is added again',
  requirements: ['ATT-FLAG-REGISTRATION-WHERE', 'ATT-FLAG-TIMEOUT'],
  role: 'verifier',
  since: '3.0',
  seconds: 24,
  async run(context) {
    const { check, observe } = context
    const agent = await lockedOutAgent(context)
    await agent.activate(await agent.openBlob(await agent.register()))
    await agent.logIn()
    const registered = await agent.offer(agent.credentials)
    check('ATT-FLAG-REGISTRATION-WHERE', 'capabilities POST after a registration at the registrar')
      .of(registered.status)
      .meets({
        'at the registrar': (status) => status === 201,
        'at the verifier': (status) => status === 403,
      })
    observe('REREG', 'status after only a registration at the registrar', registered.status)
    if (isRefusal(registered)) return
    await agent.activate(await agent.openBlob(await agent.register()))
    await agent.attest()
    await sleepIntervals(context, SILENCE, agent) // the defect: its last registration was before it
    check('ATT-FLAG-TIMEOUT', 'capabilities POST after another silence')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
  },
})
