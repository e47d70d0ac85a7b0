import {
  at,
  attributes,
  base64,
  isRefusal,
  listOf,
  scenario,
} from '../../../../conformance/scenario.ts'
import { collectEvidence, type EvidenceDefect } from '../../support/engine.ts'

const KEPT = { message: 'ATT-KEPT-MESSAGE-SAME', signature: 'ATT-KEPT-SIGNATURE-SAME' } as const
type Name = keyof typeof KEPT

/** Bytes added to the challenge; the base64 of at least one of two such messages is padded. */
const LONGER: readonly (readonly number[])[] = [[], [0]]

const inCapitals: EvidenceDefect['subjects'] = (values) =>
  Object.fromEntries(Object.entries(values).map(([pcr, value]) => [pcr, value.toUpperCase()]))

const quoteIn = (items: unknown) =>
  listOf(items)?.find((item) => at(item, 'evidence_type') === 'tpm_quote')

export default scenario({
  id: 'push.attestation.kept-bytes',
  title: 'The verifier stores quotes and signatures unchanged, of evidence that passed and failed',
  requirements: ['ATT-EVALUATION-PASS', 'ATT-KEPT-DATA-SAME', ...Object.values(KEPT)],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    for (const more of LONGER) {
      const negotiation = await agent.negotiate()
      const sent: Partial<Record<Name, string>> = {}
      const noted = (name: Name) => (bytes: Uint8Array) => {
        sent[name] = base64(bytes)
        return bytes
      }
      const challenge = Uint8Array.of(...negotiation.challenge, ...more)
      await agent.submit(negotiation, {
        ...{ challenge, message: noted('message'), signature: noted('signature') },
      })
      const seen = await agent.verdict(negotiation)
      const evaluation = attributes(seen, 'evaluation')
      check(
        'ATT-EVALUATION-PASS',
        `whether a quote over the challenge and ${more.length} bytes passes`,
      )
        .of(evaluation === 'pass')
        .is(more.length === 0)
      const quote = quoteIn(attributes(seen, 'evidence'))
      for (const name of ['message', 'signature'] as const)
        check(KEPT[name], `whether the ${name} of evidence with evaluation ${evaluation} is kept`)
          .of(at(quote, 'data', name) === sent[name])
          .is(true)
    }
    const other = await machines.softAgent()
    const begun = await other.negotiate()
    const capitals = { subjects: inCapitals }
    const body = await collectEvidence(other.machine, begun, capitals, verifier.dialect)
    const params = { agent_id: other.id, index: begun.index }
    const answer = await verifier.call('submit', { as: other.credentials, params, body })
    // The document does not say whether the digits may be capital letters.
    if (isRefusal(answer)) return
    const kept = quoteIn(attributes(await other.verdict(begun), 'evidence'))
    check('ATT-KEPT-DATA-SAME', 'subject_data in capital letters')
      .of(at(kept, 'data', 'subject_data'))
      .is(at(quoteIn(at(body, 'data', 'attributes', 'evidence_collected')), 'data', 'subject_data'))
  },
})
