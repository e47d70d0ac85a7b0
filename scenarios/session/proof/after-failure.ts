import { attributes, isRefusal, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-after-failure',
  title: 'The verifier rejects or evaluates a valid proof after a failed one',
  requirements: ['SES-FAIL-EVALUATION', 'SES-PROOF-RETRY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-over-another-challenge',
  async run({ machines, random, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const wrong = await agent.proveSession(session, { challenge: random.bytes(16) })
    check('SES-FAIL-EVALUATION', 'evaluation').of(attributes(wrong, 'evaluation')).is('fail')
    const right = await agent.proveSession(session)
    check('SES-PROOF-RETRY', 'a valid proof after a wrong one')
      .of(right)
      .meets({
        refused: isRefusal,
        evaluated: (reply) => attributes(reply, 'evaluation') === 'pass',
      })
    observe('SESSRETRY', 'HTTP status of a valid proof after a wrong one', right.status)
  },
})
