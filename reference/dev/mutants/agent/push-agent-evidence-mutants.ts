import type { Attester } from '../../../agent/attester/attester.ts'
import { openAttester } from '../../../agent/attester/attester.ts'
import { COLLECTORS } from '../../../agent/push/collect.ts'
import type { PushAgentParts } from '../../../agent/push/push-agent-parts.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { flipped, remembered } from './mutate-agent.ts'
import { pushing, withPushRules } from './mutate-push-agent.ts'

const attesting = (mutate: (attester: Attester) => Partial<Attester>): Partial<PushAgentParts> => ({
  openAttester: async (tpm, settings) => {
    const attester = await openAttester(tpm, settings)
    return { ...attester, ...mutate(attester) }
  },
})

type Parameters = Readonly<Record<string, unknown>>

/** The list is collected with other parameters. */
const listing = (mutate: (parameters: Parameters) => Parameters) =>
  withPushRules({
    collectors: COLLECTORS.map((collector) =>
      collector.evidence_type === 'ima_log'
        ? {
            ...collector,
            collect: (environment, parameters, challenge) =>
              collector.collect(environment, mutate(parameters), challenge),
          }
        : collector,
    ),
  })

const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/** Push agents that prove something else than they are asked for. */
export const PUSH_EVIDENCE_MUTANTS: readonly Mutant[] = [
  pushing(
    'proof-over-nothing',
    'a proof is over zeros',
    attesting(({ certify }) => ({ certify: (nonce) => certify(nonce.map(() => 0)) })),
  ),
  pushing(
    'proof-kept',
    'a proof is made once, and given ever after',
    attesting(({ certify }) => {
      const kept = remembered((_: string) => certify(new Uint8Array(20)))
      return { certify: () => kept('') }
    }),
  ),
  pushing(
    'proof-of-nobody',
    'the signature of a proof is altered',
    attesting(({ certify }) => ({
      certify: async (nonce) => {
        const made = await certify(nonce)
        return { ...made, signature: flipped(made.signature) }
      },
    })),
  ),
  pushing(
    'proof-by-quote',
    'a proof is a quote in place of a certification',
    attesting(({ quote }) => ({ certify: (nonce) => quote({ nonce, pcrs: [0] }) })),
  ),
  pushing(
    'quote-over-nothing',
    'a quote is over zeros',
    attesting(({ quote }) => ({
      quote: (request) => quote({ ...request, nonce: request.nonce.map(() => 0) }),
    })),
  ),
  pushing(
    'quote-over-the-first',
    'every quote is over the first challenge',
    attesting(({ quote }) => {
      let first: Uint8Array | undefined
      return {
        quote: (request) => {
          first ??= request.nonce
          return quote({ ...request, nonce: first })
        },
      }
    }),
  ),
  pushing(
    'quote-of-nobody',
    'the signature of a quote is altered',
    attesting(({ quote }) => ({
      quote: async (request) => {
        const made = await quote(request)
        return { ...made, signature: flipped(made.signature) }
      },
    })),
  ),
  pushing(
    'quote-of-all',
    'every PCR is quoted, not only the chosen ones',
    attesting(({ quote }) => ({ quote: (request) => quote({ ...request, pcrs: ALL_PCRS }) })),
  ),
  pushing(
    'list-whole',
    'the measurement list is sent from its beginning each time',
    listing((parameters) => ({ ...parameters, starting_offset: 0 })),
  ),
  pushing(
    'list-one-late',
    'the measurement list is sent without its first entry',
    listing((parameters) => ({
      ...parameters,
      starting_offset: Number(parameters['starting_offset']) + 1,
    })),
  ),
]
