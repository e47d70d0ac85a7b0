import { attributes, REFUSED, scenario } from '../../../conformance/scenario.ts'

const ODD = ['-1', '1.5', '1e1', '0x0', ' 0', 'first', '99999999999999999999', '%00', 'latest0']

/** Added to the index, these end in the same 8, 16, 32 and 64 bits. */
const BEHIND = [8n, 16n, 32n, 64n].map((bits) => 1n << bits)

export default scenario({
  id: 'push.attestation.odd-index',
  title:
    'The verifier answers an invalid attestation index with no data and accepts no evidence for it',
  requirements: ['ATT-INDEX-INTEGER-PATH', 'ATT-LATEST-ONLY', 'ATT-MOVES-ONLY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.attestation.read-back',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const behind = BEHIND.map((number) => String(BigInt(negotiation.index) + number))
    for (const index of [...ODD, ...behind]) {
      check('ATT-INDEX-INTEGER-PATH', `read of ${index}`)
        .of(await verifier.attestation(agent.id, index)) // the defect
        .matches(...REFUSED)
      check('ATT-LATEST-ONLY', `evidence to ${index}`)
        .of(await agent.submit(negotiation, {}, index))
        .matches(...REFUSED)
    }
    const padded = await verifier.attestation(agent.id, `00${negotiation.index}`)
    observe('IDXTYPE', 'status of an index with zeros before it', padded.status)
    const seen = await verifier.attestation(agent.id, negotiation.index)
    check('ATT-MOVES-ONLY', 'stage afterwards')
      .of(attributes(seen, 'stage'))
      .is('awaiting_evidence')
  },
})
