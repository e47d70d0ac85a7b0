import { scenario } from '../../conformance/scenario.ts'
import { resumeTls } from './support/engine.ts'

export default scenario({
  id: 'authorization.resumed-with-certificate',
  title: "The verifier accepts an administrator's resumed TLS session",
  requirements: ['AUT-ADMIN-READS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  needs: ['tls_resumption'],
  async run({ verifier, machines, check, notApplicable }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const socket = await resumeTls(verifier.client, verifier.url, verifier.admin)
    if (socket === undefined) return notApplicable('the subject does not resume TLS sessions')
    const seen = await verifier.call('read-agent', {
      params: { agent_id: agent.id },
      as: verifier.admin,
      socket,
    })
    check('AUT-ADMIN-READS', 'HTTP status over the resumed session').of(seen.status).is(200)
  },
})
