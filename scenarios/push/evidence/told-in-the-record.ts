import { attributes, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.told-in-the-record',
  title: 'The verifier shows a passed attestation in the status record',
  requirements: [
    'VER-STATUS-PENDING',
    'VER-STATUS-COUNT-ZERO',
    'VER-STATUS-PASS',
    'VER-STATUS-COUNT-GROWS',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const before = await verifier.readAgent(agent.id)
    check('VER-STATUS-PENDING', 'attestation_status')
      .of(results(before, 'attestation_status'))
      .is('PENDING')
    check('VER-STATUS-COUNT-ZERO', 'attestation_count')
      .of(results(before, 'attestation_count'))
      .is(0)
    const seen = await agent.attest()
    check('VER-STATUS-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    const record = await verifier.readAgent(agent.id)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count')
      .of(results(record, 'attestation_count'))
      .is(1)
    check('VER-STATUS-PASS', 'attestation_status')
      .of(results(record, 'attestation_status'))
      .is('PASS')
  },
})
