import { scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.challenge-replayed',
  title: 'The verifier rejects a quote over an earlier challenge',
  requirements: ['ATT-CHALLENGE-FRESH', 'ATT-QUOTE-OVER-CHALLENGE', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  provesFunction: true,
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent()
    const first = await agent.negotiate()
    const second = await agent.negotiate()
    check('ATT-CHALLENGE-FRESH', 'challenges of two attestations are the same')
      .of(Buffer.compare(first.challenge, second.challenge) === 0)
      .is(false)
    check('ATT-CHALLENGE-FRESH', 'bytes of a challenge')
      .of(second.challenge.length)
      .matches('16 or more', (bytes) => bytes >= 16)
    await agent.submit(second, { challenge: first.challenge }) // the defect
    const seen = await agent.verdict(second)
    checkFailed(check, seen, ['ATT-QUOTE-OVER-CHALLENGE', 'ATT-REASON-BROKEN'])
  },
})
