import { attributes, REFUSED, scenario } from '../../../conformance/dsl.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'push.evidence.after-stop',
  title: 'An agent that was stopped does not attest',
  requirements: ['ATT-STOPPED-FAILS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.after-reactivation',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.pushAgent()
    const params = { agent_id: agent.id }
    await verifier.call('stop', { as: verifier.admin, params }) // the defect: and not started again
    const body = agent.capabilities()
    const begun = await verifier.call('negotiate', { as: agent.speaker, params, body })
    observe('STOPFAIL', 'status of the capabilities POST of a stopped agent', begun.status)
    const outcome = isRefused(begun) ? 'refused' : attributes(await agent.attest(), 'evaluation')
    check('ATT-STOPPED-FAILS', 'what becomes of an attestation')
      .of(outcome)
      .isOneOf(['refused', 'fail'])
  },
})
