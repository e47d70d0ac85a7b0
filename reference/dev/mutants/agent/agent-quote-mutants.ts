import { agentRules } from '../../../agent/pull/agent-rules.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { flipped, mutatedQuote, quoting, remembered, withRules } from './mutate-agent.ts'

/** Agents that quote the wrong PCRs or false values. */
export const QUOTE_MUTANTS: readonly Mutant[] = [
  {
    id: 'agent.nonce-not-quoted',
    defect: 'a quote is over no nonce',
    parts: quoting((quote) => (request) => quote({ ...request, nonce: new Uint8Array() })),
  },
  {
    id: 'agent.nonce-cut',
    defect: 'a quote is over the first twenty characters of a nonce',
    parts: quoting(
      (quote) => (request) => quote({ ...request, nonce: request.nonce.slice(0, 20) }),
    ),
  },
  {
    id: 'agent.quote-kept',
    defect: 'a nonce that was there before is answered with the quote of that time',
    parts: quoting((quote) => remembered(quote)),
  },
  {
    id: 'agent.signature-of-nobody',
    defect: 'the signature of a quote is by no key',
    parts: mutatedQuote((quoted) => ({ ...quoted, signature: flipped(quoted.signature) })),
  },
  {
    id: 'agent.pcr-untrue',
    defect: 'the last of the quoted PCR values has another bit',
    parts: mutatedQuote((quoted) => {
      const last = [...quoted.pcrs.keys()].at(-1)
      const mutated = (pcr: number, value: Uint8Array) => (pcr === last ? flipped(value) : value)
      return {
        ...quoted,
        pcrs: new Map([...quoted.pcrs].map(([pcr, value]) => [pcr, mutated(pcr, value)])),
      }
    }),
  },
  {
    id: 'agent.node-key-not-measured',
    defect: 'PCR 16 is extended with a digest of nothing',
    parts: withRules({ nodeKeyDigest: (hash) => new Uint8Array(hash.size) }),
  },
  {
    id: 'agent.mask-ignored',
    defect: 'no PCR of the mask is quoted',
    parts: withRules({ pcrsOfMask: () => [] }),
  },
  {
    id: 'agent.mask-of-eight',
    defect: 'the first eight PCRs of a mask are quoted',
    parts: withRules({ pcrsOfMask: (name, mask) => agentRules.pcrsOfMask(name, mask).slice(0, 8) }),
  },
  {
    id: 'agent.node-key-pcr-on-demand',
    defect: 'PCR 16 is quoted when the mask names it, and else not',
    parts: withRules({ withNodeKey: (pcrs) => pcrs }),
  },
]
