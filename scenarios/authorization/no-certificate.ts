import { ANONYMOUS, REFUSED, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'authorization.no-certificate',
  title: "The verifier rejects a request to an administrator's route without a certificate",
  requirements: ['AUT-ADMIN-NEEDS-CERTIFICATE'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'authorization.admin-certificate',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const refusal = await verifier.readAgent(agent.id, ANONYMOUS) // the defect: no certificate
    check('AUT-ADMIN-NEEDS-CERTIFICATE', 'GET agent')
      .of(refusal)
      .matches(...REFUSED)
  },
})
