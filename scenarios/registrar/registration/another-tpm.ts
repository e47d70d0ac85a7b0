import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.registration.another-tpm',
  title: 'The registrar rejects another TPM under a registered id',
  requirements: ['REG-OTHER-TPM-REFUSED', 'REG-OTHER-TPM-HARMLESS'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.repeated',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const other = await machines.boot() // the defect: not the TPM that owns the id
    const before = results(await registrar.read(agent.id, verifier.admin))
    const refusal = await registrar.register(agent.id, registrar.registrationOf(other))
    check('REG-OTHER-TPM-REFUSED', 'registration')
      .of(refusal)
      .matches(...REFUSED)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-OTHER-TPM-HARMLESS', 'the record').of(results(seen)).is(before)
  },
})
