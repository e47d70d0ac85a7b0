import { fromBase64, toBase64 } from '../../../bytes/base64.ts'
import {
  hashByName,
  hashes,
  type SignatureScheme,
  schemeByName,
  signatureSchemes,
} from '../../../tpm/algorithms.ts'
import type { CertificationKey, QuoteOffer } from '../../shapes/attestation-shape.ts'

/** What the verifier compares an offer with. */
export interface QuoteWishes {
  readonly pcrs: readonly number[]
  readonly acceptedHashes: readonly string[]
  readonly acceptedSchemes: readonly string[]
  /** `rsa` or `ecc`: the algorithm of the enrolled AK. */
  readonly keyAlgorithm: string
  /** base64 of the enrolled AK, TPM2B_PUBLIC. */
  readonly attestationKey: string
}

/** One way in which an offer could be quoted. */
export interface QuoteCandidate {
  readonly offer: QuoteOffer
  readonly key: CertificationKey
  readonly scheme: string
  readonly hash: string
}

export interface QuoteRule {
  readonly id: string
  /** The error if none remains. */
  readonly why: string
  keeps(candidate: QuoteCandidate, wishes: QuoteWishes): boolean
}

/** The rules by which an offered combination is usable, in the order in which they are asked. */
export const quoteRules: readonly QuoteRule[] = [
  {
    id: 'selection.key-algorithm',
    why: 'no certification key of the enrolled key algorithm is offered',
    keeps: ({ key }, { keyAlgorithm }) =>
      key.key_algorithm === undefined || key.key_algorithm.startsWith(keyAlgorithm),
  },
  {
    id: 'selection.scheme-offered',
    why: 'no offered signature scheme can be verified here',
    keeps: ({ offer, scheme }) => offer.capabilities.signature_schemes.includes(scheme),
  },
  {
    id: 'selection.scheme-of-key',
    why: 'no offered signature scheme is one of the enrolled key algorithm',
    keeps: ({ scheme }, { keyAlgorithm }) => schemeByName(scheme)?.keyType === keyAlgorithm,
  },
  {
    id: 'selection.scheme-accepted',
    why: 'no offered signature scheme is accepted for this agent',
    keeps: ({ scheme }, { acceptedSchemes }) => acceptedSchemes.includes(scheme),
  },
  {
    id: 'selection.scheme-allowed',
    why: 'no offered signature scheme is allowed for the key',
    keeps: ({ key, scheme }) => (key.allowable_signature_schemes ?? [scheme]).includes(scheme),
  },
  {
    id: 'selection.hash-offered',
    why: 'no offered hash algorithm can be computed here',
    keeps: ({ offer, hash }) => offer.capabilities.hash_algorithms.includes(hash),
  },
  {
    id: 'selection.hash-accepted',
    why: 'no offered hash algorithm is accepted for this agent',
    keeps: ({ hash }, { acceptedHashes }) => acceptedHashes.includes(hash),
  },
  {
    id: 'selection.hash-allowed',
    why: 'no offered hash algorithm is allowed for the key',
    keeps: ({ key, hash }) => (key.allowable_hash_algorithms ?? [hash]).includes(hash),
  },
  {
    id: 'selection.pcrs',
    why: 'no offered bank has all the PCRs that the policies of this agent need',
    keeps: ({ offer, hash }, { pcrs }) => {
      const offered = subjectsOf(offer, hash)
      return pcrs.every((pcr) => offered.includes(pcr))
    },
  },
]

const SCHEMES = Object.values(signatureSchemes)
  .filter(({ supported }: SignatureScheme) => supported)
  .map(({ name }) => name)
const HASHES = Object.keys(hashes).filter((name) => hashByName(name)?.digest !== undefined)

/**
 * Everything that could be asked for and then be checked here: keys in the order in which they are preferred, schemes
 * and hashes in that of the accepted lists. The number of names that are offered does not matter for how many.
 */
export function quoteCandidates(
  offers: readonly QuoteOffer[],
  wishes: QuoteWishes,
): readonly QuoteCandidate[] {
  const schemes = inOrderOf(wishes.acceptedSchemes, SCHEMES)
  const hashNames = inOrderOf(wishes.acceptedHashes, HASHES)
  return offers.flatMap((offer) =>
    keysOf(offer, wishes).flatMap((key) =>
      schemes.flatMap((scheme) => hashNames.map((hash) => ({ offer, key, scheme, hash }))),
    ),
  )
}

/** PCRs that an offer has in a bank; a list is the same for all of them. */
export function subjectsOf(offer: QuoteOffer, bank: string): readonly number[] {
  const subjects = offer.capabilities.available_subjects
  if (Array.isArray(subjects)) return subjects
  return new Map(Object.entries(subjects as Record<string, number[]>)).get(bank) ?? []
}

/** Unlisted values come last, in their own order. */
function inOrderOf(list: readonly string[], names: readonly string[]): readonly string[] {
  return [...new Set([...list.filter((name) => names.includes(name)), ...names])]
}

/** The enrolled key is preferred, then one called `ak`. */
function keysOf(offer: QuoteOffer, { attestationKey }: QuoteWishes): readonly CertificationKey[] {
  const enrolled = spellings(attestationKey)
  const rank = (key: CertificationKey): number =>
    enrolled.includes(key.public ?? '') ? 0 : key.server_identifier === 'ak' ? 1 : 2
  return offer.capabilities.certification_keys.toSorted((a, b) => rank(a) - rank(b))
}

/** A TPM2B_PUBLIC in base64, and the TPMT_PUBLIC that follows its two bytes of size (ambiguity PUBENC). */
function spellings(tpm2bPublic: string): readonly string[] {
  return [tpm2bPublic, toBase64(fromBase64(tpm2bPublic).subarray(2))]
}
