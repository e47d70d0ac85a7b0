import { registerGolden, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'adversarial.registration.deleted-id',
  title: 'After its deletion an id is free for another TPM',
  requirements: ['REG-OTHER-TPM-AFTER-DELETION'],
  role: 'registrar',
  since: '2.1',
  async run(context) {
    const { registrar, verifier, random, check } = context
    const agentId = random.uuid()
    await registerGolden(context, 'rsa', { agentId })
    await registrar.delete(agentId, verifier.admin)
    const reply = await registerGolden(context, 'other', { agentId })
    check('REG-OTHER-TPM-AFTER-DELETION', 'HTTP status').of(reply.status).is(200)
  },
})
