import { listOf, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.registration.without-aik',
  title: 'The registrar rejects a registration without an AIK',
  requirements: ['REG-REQUEST-AIK-MISSING'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const refusal = await agent.register({ aik_tpm: undefined }) // the defect
    const isRefused = check('REG-REQUEST-AIK-MISSING', 'registration')
      .of(refusal)
      .matches(...REFUSED)
    if (!isRefused) return
    const uuids = listOf(results(await registrar.list(verifier.admin), 'uuids'))
    check('REG-REQUEST-AIK-MISSING', 'whether it is listed despite the refusal')
      .of(uuids?.includes(agent.id))
      .is(false)
  },
})
