import { ANONYMOUS, REFUSED, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.agents.without-certificate',
  title: 'The registrar refuses its administrative routes to a client without a certificate',
  requirements: ['REG-ADMIN-CERTIFICATE'],
  role: 'registrar',
  since: '2.5',
  variantOf: 'registrar.agents.listed-and-deleted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    const listed = await registrar.list(ANONYMOUS) // the defect: no certificate
    check('REG-ADMIN-CERTIFICATE', 'list')
      .of(listed)
      .matches(...REFUSED)
    const read = await registrar.read(agent.id, ANONYMOUS)
    check('REG-ADMIN-CERTIFICATE', 'read')
      .of(read)
      .matches(...REFUSED)
    const deleted = await registrar.delete(agent.id, ANONYMOUS)
    check('REG-ADMIN-CERTIFICATE', 'delete')
      .of(deleted)
      .matches(...REFUSED)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-ADMIN-CERTIFICATE', 'the record after the refused deletion')
      .of(results(seen, 'ip'))
      .is('127.0.0.1')
  },
})
