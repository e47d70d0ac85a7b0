import { ANONYMOUS, at, isRefusal, scenario } from '../../conformance/scenario.ts'
import { renegotiateTls } from './support/renegotiate-tls.ts'

export default scenario({
  id: 'authorization.renegotiated',
  title:
    'The verifier grants no administrator access by a second handshake on a TLS 1.2 connection',
  requirements: ['AUT-RENEGOTIATED-NEEDS-CERTIFICATE'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'authorization.admin-certificate',
  async run({ verifier, machines, check, observe, notApplicable }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const second = await renegotiateTls(verifier.client, verifier.url, ANONYMOUS) // the defect
    if (second === undefined) return notApplicable('the subject does not support TLS 1.2')
    const { outcome, socket } = second
    observe('RENEGOTIATION', 'a second handshake', outcome)
    observe('RENEGOTIATION', 'the connection after it', socket === undefined ? 'ended' : 'open')
    const params = { agent_id: agent.id }
    const seen = socket && (await verifier.call('read-agent', { params, as: ANONYMOUS, socket }))
    check('AUT-RENEGOTIATED-NEEDS-CERTIFICATE', 'GET agent after a second handshake')
      .of(seen === undefined || isRefusal(seen) || at(seen.body, 'results') === undefined)
      .is(true)
  },
})
