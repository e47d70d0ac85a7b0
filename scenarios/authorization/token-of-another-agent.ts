import { REFUSED, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'authorization.token-of-another-agent',
  title: "The verifier rejects an agent's token in a request for another agent",
  requirements: ['AUT-IDENTITY-EQUALS-RESOURCE', 'AUT-OTHER-UNCHANGED', 'AUT-AGENT-READS-NO-OTHER'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const other = await machines.pushAgent({ until: 'enrolled' })
    const as = agent.credentials // the defect: not the token of the agent in the path
    const params = { agent_id: other.id }
    const posted = await verifier.call('negotiate', { as, params, body: other.capabilities() })
    check('AUT-IDENTITY-EQUALS-RESOURCE', 'capabilities POST')
      .of(posted)
      .matches(...REFUSED)
    const read = await verifier.attestation(other.id, 'latest', as)
    check('AUT-AGENT-READS-NO-OTHER', 'GET latest')
      .of(read)
      .matches(...REFUSED)
    const left = await verifier.attestation(other.id, 'latest')
    check('AUT-OTHER-UNCHANGED', 'GET latest by an administrator')
      .of(left)
      .matches(...REFUSED)
  },
})
