import { attributes, REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.older-index',
  title: 'The verifier rejects evidence for an older attestation',
  requirements: ['ATT-LATEST-ONLY', 'ATT-OLD-UNCHANGED', 'ATT-INDEX-INCREMENTS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const older = await agent.negotiate()
    const latest = await agent.negotiate()
    check('ATT-INDEX-INCREMENTS', 'index of the second attestation')
      .of(Number(latest.index))
      .is(Number(older.index) + 1)
    const before = attributes(await verifier.attestation(agent.id, older.index))
    const refusal = await agent.submit(older, {}, older.index) // the defect: the older index
    check('ATT-LATEST-ONLY', 'evidence for the older index')
      .of(refusal)
      .matches(...REFUSED)
    const seen = await verifier.attestation(agent.id, older.index)
    check('ATT-OLD-UNCHANGED', 'stage of the older attestation')
      .of(attributes(seen, 'stage'))
      .is('awaiting_evidence')
    check('ATT-OLD-UNCHANGED', 'attributes of the older attestation')
      .of(attributes(seen))
      .is(before)
  },
})
