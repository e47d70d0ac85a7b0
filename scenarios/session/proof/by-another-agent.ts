import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-by-another-agent',
  title: 'The verifier rejects a proof by the enrolled key of another agent',
  requirements: ['SES-PROOF-BY-ENROLLED-KEY', 'SES-FAIL-NO-TOKEN', 'SES-PASS-EVALUATION'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.lightAgent({ until: 'enrolled' })
    const other = await machines.lightAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proof = await other.makeProof(session, {
      attributes: (right) => ({ ...right, agent_id: agent.id }), // the defect: the key of another agent
    })
    const proven = await agent.sendProof(proof)
    check('SES-PROOF-BY-ENROLLED-KEY', 'evaluation').of(attributes(proven, 'evaluation')).is('fail')
    check('SES-FAIL-NO-TOKEN', 'token').of(attributes(proven, 'token')).isOneOf([undefined, null])
    const right = await other.proveSession(await other.openSession())
    check('SES-PASS-EVALUATION', 'evaluation of the other agent in its own session')
      .of(attributes(right, 'evaluation'))
      .is('pass')
  },
})
