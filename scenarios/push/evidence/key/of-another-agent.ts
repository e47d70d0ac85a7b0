import { scenario } from '../../../../conformance/scenario.ts'
import { checkFailed } from '../../support/check-failed.ts'

export default scenario({
  id: 'push.evidence.key-of-another-agent',
  title: 'The verifier rejects a quote by the key of another agent in the same state',
  requirements: ['ATT-SIGNATURE-OTHER-AGENT', 'ATT-FAIL-SUBMIT-202', 'ATT-REASON-BROKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ machines, check }) {
    const [agent, other] = [await machines.pushAgent(), await machines.pushAgent()]
    const [own, others] = [await agent.negotiate(), await other.negotiate()]
    const made: Record<string, Uint8Array> = {}
    const noted = (name: string) => (bytes: Uint8Array) => {
      made[name] = bytes
      return bytes
    }
    const { challenge } = own
    await other.submit(others, {
      challenge,
      message: noted('message'),
      signature: noted('signature'),
    })
    const reply = await agent.submit(own, {
      message: (bytes) => made.message ?? bytes, // the defect
      signature: (bytes) => made.signature ?? bytes,
    })
    check('ATT-FAIL-SUBMIT-202', 'HTTP status').of(reply.status).is(202)
    const seen = await agent.verdict(own)
    checkFailed(check, seen, ['ATT-SIGNATURE-OTHER-AGENT', 'ATT-REASON-BROKEN'])
  },
})
