import { attributes, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing, tokenOf } from '../support/engine.ts'

export default scenario({
  id: 'session.proof-for-another-agent',
  title: 'The verifier issues no token for a proof with the id of another agent',
  requirements: ['SES-PROVE-AGENT-DIFFERS', 'SES-TOKEN-OF-PROVEN-AGENT'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const victim = await machines.pushAgent({ until: 'enrolled' })
    const proven = await agent.proveSession(await agent.openSession(), {
      attributes: (right) => ({ ...right, agent_id: victim.id }), // the defect
    })
    observe('SESSAGENT', 'HTTP status', proven.status)
    const evaluation = attributes(proven, 'evaluation')
    check('SES-PROVE-AGENT-DIFFERS', 'HTTP status, or evaluation of the proof')
      .of(evaluation ?? proven.status)
      .meets({
        refused: (seen) => seen === 'fail' || (Number(seen) >= 400 && Number(seen) < 500),
        ignored: (seen) => seen === 'pass',
      })
    const token = attributes(proven, 'token') ?? null
    const credentials = token === null ? agent.credentials : bearing(tokenOf(proven))
    check('SES-TOKEN-OF-PROVEN-AGENT', 'capabilities POST of the other agent')
      .of(await victim.offer(credentials))
      .matches(...REFUSED)
  },
})
