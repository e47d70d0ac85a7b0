import { attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-over-another-challenge',
  title: 'The verifier rejects a proof over the challenge of another session',
  requirements: ['SES-PROOF-OVER-CHALLENGE', 'SES-FAIL-NO-TOKEN'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session, { challenge: random.bytes(16) }) // the defect
    check('SES-PROOF-OVER-CHALLENGE', 'evaluation').of(attributes(proven, 'evaluation')).is('fail')
    check('SES-FAIL-NO-TOKEN', 'token').of(attributes(proven, 'token')).isOneOf([undefined, null])
  },
})
