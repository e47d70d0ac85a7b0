import { scenario } from '../../../conformance/scenario.ts'
import { checkRegistered, registerBaseline } from '../support/registration-family.ts'

export default scenario({
  id: 'adversarial.registration.deleted-id',
  title: 'The registrar accepts another TPM under a deleted id',
  requirements: ['REG-OTHER-TPM-AFTER-DELETION'],
  role: 'registrar',
  since: '2.1',
  async run(context) {
    const { registrar, verifier, random } = context
    const agentId = random.uuid()
    await registerBaseline(context, 'rsa', { agentId })
    await registrar.delete(agentId, verifier.admin)
    const reply = await registerBaseline(context, 'other', { agentId })
    checkRegistered(context, 'REG-OTHER-TPM-AFTER-DELETION', reply)
  },
})
