import { attributes, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.failure-in-the-record',
  title: 'The verifier shows a failed attestation in the status record and does not count it',
  requirements: [
    'ATT-QUOTE-OVER-CHALLENGE',
    'VER-STATUS-FAIL',
    'VER-STATUS-COUNT-NOT-FAILED',
    'VER-STATUS-RECEIVED-ANY',
    'VER-STATUS-SUCCESS-ONLY',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.told-in-the-record',
  async run({ verifier, machines, random, check }) {
    const agent = await machines.pushAgent()
    const seen = await agent.attest({ challenge: random.bytes(32) }) // the defect
    const judged = check('ATT-QUOTE-OVER-CHALLENGE', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (!judged) return
    const record = await verifier.readAgent(agent.id)
    check('VER-STATUS-COUNT-NOT-FAILED', 'attestation_count')
      .of(results(record, 'attestation_count'))
      .is(0)
    check('VER-STATUS-RECEIVED-ANY', 'last_received_quote')
      .of(results(record, 'last_received_quote'))
      .matches('seconds since the epoch', (seconds) => Number(seconds) > 1_000_000_000)
    check('VER-STATUS-SUCCESS-ONLY', 'last_successful_attestation')
      .of(results(record, 'last_successful_attestation'))
      .isOneOf([0, null])
    check('VER-STATUS-FAIL', 'attestation_status')
      .of(results(record, 'attestation_status'))
      .is('FAIL')
  },
})
