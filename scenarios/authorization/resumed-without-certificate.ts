import { ANONYMOUS, REFUSED, scenario } from '../../conformance/scenario.ts'
import { resumeTls } from './support/engine.ts'

export default scenario({
  id: 'authorization.resumed-without-certificate',
  title:
    'The verifier grants no administrator access to a TLS session resumed without a certificate',
  requirements: ['AUT-RESUMED-NEEDS-CERTIFICATE'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  needs: ['tls_resumption'],
  variantOf: 'authorization.resumed-with-certificate',
  async run({ verifier, machines, check, notApplicable }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const socket = await resumeTls(verifier.client, verifier.url, ANONYMOUS) // the defect: no certificate
    if (socket === undefined) return notApplicable('the subject does not resume TLS sessions')
    const refusal = await verifier.call('read-agent', {
      params: { agent_id: agent.id },
      as: ANONYMOUS,
      socket,
    })
    check('AUT-RESUMED-NEEDS-CERTIFICATE', 'GET agent over the resumed session')
      .of(refusal)
      .matches(...REFUSED)
  },
})
