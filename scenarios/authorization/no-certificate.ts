import { ANONYMOUS, REFUSED, scenario } from '../../conformance/scenario.ts'
import { headersOfProxies } from './support/engine.ts'

export default scenario({
  id: 'authorization.no-certificate',
  title:
    "The verifier rejects a request to an administrator's route without a certificate in its connection",
  requirements: ['AUT-ADMIN-NEEDS-CERTIFICATE'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'authorization.admin-certificate',
  async run({ verifier, machines, version, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const refusal = await verifier.readAgent(agent.id, ANONYMOUS) // the defect: no certificate
    check('AUT-ADMIN-NEEDS-CERTIFICATE', 'GET agent')
      .of(refusal)
      .matches(...REFUSED)
    const path = `/v${version}/agents/${agent.id}`
    check('AUT-ADMIN-NEEDS-CERTIFICATE', 'HEAD agent')
      .of(await verifier.get(path, { method: 'HEAD', as: ANONYMOUS }))
      .matches(...REFUSED)
    const params = { agent_id: agent.id }
    const headers = headersOfProxies(verifier.admin)
    check('AUT-ADMIN-NEEDS-CERTIFICATE', 'GET agent with the headers of a proxy')
      .of(await verifier.call('read-agent', { params, headers, as: ANONYMOUS }))
      .matches(...REFUSED)
  },
})
