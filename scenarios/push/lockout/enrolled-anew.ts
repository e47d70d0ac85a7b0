import { attributes, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.enrolled-anew',
  title: 'The verifier lets a silent agent attest again after it is registered and enrolled again',
  requirements: ['ATT-FLAG-RECOVERS-REGISTRATION', 'ATT-FLAG-REGISTRATION-WHERE'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  async run(context) {
    const { verifier, check, observe } = context
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
    await verifier.deleteAgent(agent.id)
    await agent.enrol()
    await agent.logIn()
    check('ATT-FLAG-RECOVERS-REGISTRATION', 'capabilities POST after it was added again')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    const seen = await agent.attest()
    const evaluation = attributes(seen, 'evaluation')
    check('ATT-FLAG-RECOVERS-REGISTRATION', 'evaluation').of(evaluation).is('pass')
  },
})
