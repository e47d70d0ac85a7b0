import { at, attributes, base64, listOf, scenario } from '../../../../conformance/scenario.ts'

const KEPT = { message: 'ATT-KEPT-MESSAGE-SAME', signature: 'ATT-KEPT-SIGNATURE-SAME' } as const
type Name = keyof typeof KEPT

/** Bytes added to the challenge; the base64 of at least one of two such messages is padded. */
const LONGER: readonly (readonly number[])[] = [[], [0]]

export default scenario({
  id: 'push.attestation.kept-bytes',
  title: 'The verifier stores quotes and signatures unchanged, of evidence that passed and failed',
  requirements: ['ATT-EVALUATION-PASS', ...Object.values(KEPT)],
  role: 'verifier',
  since: '3.0',
  async run({ machines, check }) {
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
      const items = listOf(attributes(seen, 'evidence')) ?? []
      const quote = items.find((item) => at(item, 'evidence_type') === 'tpm_quote')
      for (const name of ['message', 'signature'] as const)
        check(KEPT[name], `whether the ${name} of evidence with evaluation ${evaluation} is kept`)
          .of(at(quote, 'data', name) === sent[name])
          .is(true)
    }
  },
})
