import { flipBit } from '../../../conformance/scenario.ts'
import {
  activationNonce,
  type DeepQuoteRecipe,
  sha256,
} from '../../../conformance/steps/deep-quote.ts'

/** What a guest proves when it activates: its tag, and its keys as TPM2B_PUBLIC. */
export interface Proof {
  readonly tag: string
  /** The tag for another id, from the same blob. */
  readonly otherTag: string
  readonly ak: Uint8Array
  readonly ek: Uint8Array
  /** Another machine. */
  readonly stranger: DeepQuoteRecipe['host']['machine'] & {
    readonly ak: { readonly public: Uint8Array }
  }
}

type Recipe = Partial<Omit<DeepQuoteRecipe, 'guest' | 'host'>> & {
  readonly guest?: Partial<DeepQuoteRecipe['guest']>
  readonly host?: Partial<DeepQuoteRecipe['host']>
}

/** One thing that is wrong with a deep quote. */
interface DeepQuoteFault {
  readonly name: string
  /** Ends the sentence `a deep quote …`. */
  readonly what: string
  recipe(proof: Proof): Recipe
}

const otherMagic: Recipe['guest'] = { attest: (attest) => ({ ...attest, magic: 0x474354ff }) }
const badSignature: Recipe['guest'] = {
  parts: ([message, signature, blob]) => [message, flipBit(signature, -1), blob],
}
/** The lowest bit of a digest: the list of digests is the end of the blob, and its first 64-byte buffers are used. */
const otherPcrs: Recipe['guest'] = {
  parts: ([message, signature, blob]) => [message, signature, flipBit(blob, FIRST_DIGEST * 8)],
}
/** TPML_PCR_SELECTION (132), number of lists, number of digests, size of the first. */
const FIRST_DIGEST = 132 + 4 + 4 + 2

export const DEEP_QUOTE_FAULTS: readonly DeepQuoteFault[] = [
  {
    name: 'other-tag',
    what: 'over the tag of another agent',
    recipe: ({ otherTag, ak, ek }) => ({ nonce: activationNonce(otherTag, ak, ek) }),
  },
  {
    name: 'tag-alone',
    what: 'over the tag without the keys',
    recipe: ({ tag }) => ({ nonce: sha256(new TextEncoder().encode(tag)) }),
  },
  {
    name: 'other-ak',
    what: 'over another AK',
    recipe: ({ tag, ek, stranger }) => ({ nonce: activationNonce(tag, stranger.ak.public, ek) }),
  },
  {
    name: 'other-ek',
    what: 'over another EK',
    recipe: ({ tag, ak, stranger }) => ({ nonce: activationNonce(tag, ak, stranger.ak.public) }),
  },
  {
    name: 'other-guest',
    what: 'by another AK than the registered one',
    recipe: ({ stranger }) => ({ guest: { machine: stranger } }),
  },
  {
    name: 'other-host',
    what: 'by another host than the one that the provider has',
    recipe: ({ stranger }) => ({ host: { machine: stranger } }),
  },
  {
    name: 'unbound',
    what: 'whose host is bound to another quote',
    recipe: () => ({ binding: (message) => sha256(flipBit(message, -1)) }),
  },
  {
    name: 'swapped',
    what: 'whose halves are exchanged',
    recipe: () => ({ order: (parts) => [...parts.slice(3), ...parts.slice(0, 3)] }),
  },
  { name: 'cut', what: 'of five parts', recipe: () => ({ order: (parts) => parts.slice(0, 5) }) },
  {
    name: 'longer',
    what: 'of seven parts',
    recipe: () => ({ order: (parts) => [...parts, 'AAAA'] }),
  },
  { name: 'letter', what: 'with the letter of a quote', recipe: () => ({ letter: 'r' }) },
  {
    name: 'guest-magic',
    what: 'whose guest has another magic',
    recipe: () => ({ guest: otherMagic }),
  },
  {
    name: 'host-magic',
    what: 'whose host has another magic',
    recipe: () => ({ host: otherMagic }),
  },
  {
    name: 'guest-signature',
    what: 'whose guest has a changed signature',
    recipe: () => ({ guest: badSignature }),
  },
  {
    name: 'host-signature',
    what: 'whose host has a changed signature',
    recipe: () => ({ host: badSignature }),
  },
  {
    name: 'guest-pcrs',
    what: 'whose guest has other PCR values than it signed',
    recipe: () => ({ guest: otherPcrs }),
  },
  {
    name: 'host-pcrs',
    what: 'whose host has other PCR values than it signed',
    recipe: () => ({ host: otherPcrs }),
  },
]

export type { Recipe }
