import { attributes, scenario } from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.after-reactivation',
  title: 'The verifier accepts attestations of an agent that was stopped and reactivated',
  requirements: ['ATT-REACTIVATED-ATTESTS'],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const params = { agent_id: agent.id }
    await verifier.call('stop', { as: verifier.admin, params })
    await verifier.call('reactivate', { as: verifier.admin, params })
    const body = agent.capabilities()
    const begun = await verifier.call('negotiate', { as: agent.credentials, params, body })
    check('ATT-REACTIVATED-ATTESTS', 'status of the capabilities POST').of(begun.status).is(201)
    const seen = await agent.attest()
    check('ATT-REACTIVATED-ATTESTS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
