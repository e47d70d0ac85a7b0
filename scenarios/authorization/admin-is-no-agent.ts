import { REFUSED, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'authorization.admin-is-no-agent',
  title: 'The verifier rejects capabilities from an administrator in place of the agent',
  requirements: ['AUT-ADMIN-IS-NO-AGENT'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const as = verifier.admin // the defect: the administrator's certificate instead of the agent's token
    const posted = await verifier.call('negotiate', {
      as,
      params: { agent_id: agent.id },
      body: agent.capabilities(),
    })
    check('AUT-ADMIN-IS-NO-AGENT', 'capabilities POST')
      .of(posted)
      .matches(...REFUSED)
  },
})
