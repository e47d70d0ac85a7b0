import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-by-another-key',
  title: 'The verifier rejects a proof by another key of the same TPM',
  requirements: [
    'SES-PROOF-BY-ENROLLED-KEY',
    'SES-FAIL-STATUS',
    'SES-FAIL-EVALUATION',
    'SES-FAIL-NO-TOKEN',
  ],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const rogue = await agent.machine.createRogueAk()
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, { object: rogue.handle, signer: rogue.handle }) // the defect
    check('SES-PROOF-BY-ENROLLED-KEY', 'evaluation').of(attributes(proven, 'evaluation')).is('fail')
    check('SES-FAIL-STATUS', 'HTTP status').of(proven.status).is(200)
    check('SES-FAIL-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('fail')
    check('SES-FAIL-NO-TOKEN', 'token').of(attributes(proven, 'token')).isOneOf([undefined, null])
  },
})
