import { isRefusal, isSuccess, scenario } from '../../../conformance/scenario.ts'
import { registerBaseline } from '../support/registration-family.ts'

export default scenario({
  id: 'adversarial.registration.unactivated-id',
  title: 'The registrar rejects another TPM under an id that awaits its activation',
  requirements: ['REG-OTHER-TPM-UNACTIVATED'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'adversarial.registration.deleted-id',
  async run(context) {
    const agentId = context.random.uuid()
    await registerBaseline(context, 'rsa', { agentId })
    // the defect: the first registration still exists
    const reply = await registerBaseline(context, 'other', { agentId })
    context
      .check('REG-OTHER-TPM-UNACTIVATED', 'registration')
      .of(reply)
      .meets({ refused: isRefusal, taken: isSuccess })
  },
})
