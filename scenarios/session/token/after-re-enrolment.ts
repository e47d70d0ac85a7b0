import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { onOneConnection } from '../support/engine.ts'

export default scenario({
  id: 'session.token-after-re-enrolment',
  title:
    'The verifier ends a token when its agent is deleted, and does not restore it when the agent is added again',
  requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-ENDS-DELETED', 'SES-TOKEN-ENDS-REENROLLED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.beside-another-agent',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.pushAgent()
    const first = agent.credentials
    await agent.logIn()
    // A verifier may keep the result of a token that was used, or of a connection.
    const credentials = onOneConnection(agent.credentials)
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST before the deletion')
      .of((await agent.offer(credentials)).status)
      .is(201)
    const proof = await agent.makeProof(await agent.openSession())
    await verifier.deleteAgent(agent.id) // the defect
    const deleted = await agent.offer(credentials)
    check('SES-TOKEN-ENDS-DELETED', 'capabilities POST after the deletion')
      .of(deleted)
      .matches(...REFUSED)
    observe('deleted', 'HTTP status with the token of a deleted agent', deleted.status)
    await agent.enrol()
    for (const [says, as] of [
      ['', credentials],
      [', with an earlier token', first],
    ] as const)
      check('SES-TOKEN-ENDS-REENROLLED', `capabilities POST after it was added again${says}`)
        .of(await agent.offer(as))
        .matches(...REFUSED)
    const late = await agent.sendProof(proof)
    observe('REREG', 'status of a proof for an earlier session', late.status)
  },
})
