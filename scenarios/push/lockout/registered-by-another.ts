import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.registered-by-another',
  title:
    'The verifier does not accept a silent agent again because another TPM registers under its id',
  requirements: ['ATT-FLAG-STAYS'],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  variantOf: 'push.lockout.registered-anew',
  async run(context) {
    const { registrar, verifier, machines, check } = context
    const agent = await lockedOutAgent(context)
    await registrar.delete(agent.id, verifier.admin)
    const other = await machines.lightAgent({ id: agent.id, until: 'activated' }) // the defect
    await other.activate(await other.openBlob(await other.register()))
    check('ATT-FLAG-STAYS', 'capabilities POST after a registration with another AIK')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
  },
})
