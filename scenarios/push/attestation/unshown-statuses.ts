import { at, REFUSED, type Reply, scenario } from '../../../conformance/scenario.ts'

const ANONYMOUS = '00000000-0000-4000-8000-000000000000'
const BODY = { data: { type: 'attestation', attributes: {} } }

export default scenario({
  id: 'push.attestation.unshown-statuses',
  title: 'The verifier rejects invalid requests with statuses that the document leaves open',
  requirements: [
    'ATT-READ-UNKNOWN-AGENT',
    'ATT-SUBMIT-NONE-LATEST',
    'ATT-SUBMIT-UNKNOWN-INDEX',
    'ATT-CREATE-WITHOUT-SUPPORTED',
    'EVT-ERROR-V3-BODY',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const params = { agent_id: agent.id }
    const empty = { as: agent.credentials, body: BODY, defect: 'attributes without a member' }
    const submitTo = (index: string) =>
      verifier.call('submit', { ...empty, params: { ...params, index } })
    const look = (row: string, what: string, reply: Reply) => {
      observe('statuses', what, reply.status)
      check(row, what)
        .of(reply)
        .matches(...REFUSED)
      check('EVT-ERROR-V3-BODY', `code in the answer to ${what}`)
        .of(at(reply.body, 'code'))
        .meets({
          'the envelope': (code) => code === reply.status,
          'another body': (code) => code === undefined,
        })
    }
    const unknown = await verifier.attestation(ANONYMOUS, 'latest')
    look('ATT-READ-UNKNOWN-AGENT', 'read of an unknown agent', unknown)
    look(
      'ATT-SUBMIT-NONE-LATEST',
      'evidence to latest without an attestation',
      await submitTo('latest'),
    )
    look('ATT-SUBMIT-UNKNOWN-INDEX', 'evidence to an unknown index', await submitTo('5'))
    const begun = await verifier.call('negotiate', { ...empty, params })
    look('ATT-CREATE-WITHOUT-SUPPORTED', 'capabilities without an offer', begun)
  },
})
