import { scenario } from '../../../conformance/scenario.ts'
import { baselineRegistration } from '../support/engine.ts'
import { checkAnsweredAlike, registerBaseline } from '../support/registration-family.ts'

export default scenario({
  id: 'adversarial.registration.aik-of-another-agent',
  title:
    'The registrar accepts or rejects an AIK registered by another agent with another EK, and answers consistently',
  requirements: ['REG-REGISTER-ANSWERED', 'REG-REGISTER-UNUSUAL'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'adversarial.registration.golden-rsa',
  async run(context) {
    const agentId = context.random.uuid()
    await registerBaseline(context, 'other')
    const change = { aik_tpm: baselineRegistration('other')['aik_tpm'] } // the defect
    await checkAnsweredAlike(context, 'e5-47-aik-of-another-agent', 'the second registration', () =>
      registerBaseline(context, 'rsa', { agentId, change }),
    )
  },
})
