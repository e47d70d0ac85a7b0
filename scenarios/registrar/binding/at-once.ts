import { base64, isSuccess, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.at-once',
  title: 'The registrar accepts one of two TPMs that register one id at the same time',
  requirements: ['REG-OTHER-TPM-AT-ONCE'],
  role: 'registrar',
  since: '2.1',
  perMajor: true,
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, cleanUp }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const other = await machines.boot()
    cleanUp(() => registrar.delete(agent.id, verifier.admin))
    const [one, two] = await Promise.all([
      agent.register(),
      registrar.register(agent.id, registrar.registrationOf(other)), // the defect
    ])
    check('REG-OTHER-TPM-AT-ONCE', 'accepted registrations of two')
      .of([one, two].filter(isSuccess).length)
      .is(1)
    if (!isSuccess(one)) return
    await agent.activate(await agent.openBlob(one))
    check('REG-OTHER-TPM-AT-ONCE', 'aik_tpm of the record')
      .of(results(await registrar.read(agent.id, verifier.admin), 'aik_tpm'))
      .is(base64(agent.machine.ak.public))
  },
})
