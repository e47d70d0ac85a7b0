import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import type { CertificationKey, QuoteOffer } from '../attestation-shape.ts'
import type { QuoteParameters } from './evidence-item.ts'

/** What the verifier holds against an offer. */
export interface QuoteWishes {
  readonly pcrs: readonly number[]
  readonly acceptedHashes: readonly string[]
  readonly acceptedSchemes: readonly string[]
  /** `rsa` or `ecc`: what the enrolled AK can be. */
  readonly keyAlgorithm: string
  /** base64 of the enrolled AK, TPM2B_PUBLIC. */
  readonly attestationKey: string
}

interface Candidate {
  readonly key: CertificationKey
  readonly scheme: string
  readonly hash: string
}

/** Schemes that a key of each algorithm can sign with (TPM 2.0 Part 2, 11.2). */
const SCHEMES_OF_KEY: Readonly<Record<string, readonly string[]>> = {
  rsa: ['rsassa', 'rsapss'],
  ecc: ['ecdsa', 'ecdaa', 'ecschnorr'],
}

type Filter = (candidate: Candidate, offer: QuoteOffer, wishes: QuoteWishes) => boolean

/** The rules by which an offered combination is usable, with the sentence told when none survives. */
const RULES: readonly { readonly why: string; readonly keeps: Filter }[] = [
  {
    why: 'no certification key of the enrolled key algorithm is offered',
    keeps: ({ key }, _offer, wishes) =>
      key.key_algorithm === undefined || key.key_algorithm.startsWith(wishes.keyAlgorithm),
  },
  {
    why: 'no offered signature scheme is accepted for this agent and allowed for the key',
    keeps: ({ key, scheme }, offer, wishes) =>
      offer.capabilities.signature_schemes.includes(scheme) &&
      (SCHEMES_OF_KEY[wishes.keyAlgorithm] ?? []).includes(scheme) &&
      (key.allowable_signature_schemes ?? [scheme]).includes(scheme),
  },
  {
    why: 'no offered hash algorithm is accepted for this agent and allowed for the key',
    keeps: ({ key, hash }, offer) =>
      offer.capabilities.hash_algorithms.includes(hash) &&
      (key.allowable_hash_algorithms ?? [hash]).includes(hash),
  },
  {
    why: 'no offered bank has all the PCRs that the policies of this agent need',
    keeps: ({ hash }, offer, wishes) => {
      const offered = subjectsOf(offer, hash)
      return wishes.pcrs.every((pcr) => offered.includes(pcr))
    },
  },
]

/**
 * Chooses signature scheme, hash, PCRs and key from an offer: every combination in the order of the
 * accepted lists, filtered by the rules above; the enrolled key is preferred, then one called `ak`.
 */
export function selectQuote(
  offer: QuoteOffer,
  wishes: QuoteWishes,
  challenge: string,
): QuoteParameters {
  const { key, scheme, hash } = firstUsable(offer, wishes)
  const offered = subjectsOf(offer, hash)
  const pcrs = wishes.pcrs.length > 0 ? wishes.pcrs : offered.filter((pcr) => pcr < 16)
  return {
    challenge,
    signature_scheme: scheme,
    hash_algorithm: hash,
    selected_subjects: presentSubjects(offer, hash, pcrs),
    certification_key: presentKey(key),
  }
}

function firstUsable(offer: QuoteOffer, wishes: QuoteWishes): Candidate {
  let candidates = combinations(offer, wishes)
  for (const { why, keeps } of RULES) {
    candidates = candidates.filter((candidate) => keeps(candidate, offer, wishes))
    if (candidates.length === 0) {
      throw new ApiError('invalid_resource_data', `evidence_supported: ${why}`, {
        pointer: '/data/attributes/evidence_supported',
      })
    }
  }
  const [best] = candidates
  if (best === undefined) throw new Error('a rule let no candidate through and did not say so')
  return best
}

function combinations(offer: QuoteOffer, wishes: QuoteWishes): Candidate[] {
  const enrolled = spellings(wishes.attestationKey)
  const rank = (key: CertificationKey): number =>
    enrolled.includes(key.public ?? '') ? 0 : key.server_identifier === 'ak' ? 1 : 2
  const keys = offer.capabilities.certification_keys.toSorted((a, b) => rank(a) - rank(b))
  return keys.flatMap((key) =>
    wishes.acceptedSchemes.flatMap((scheme) =>
      wishes.acceptedHashes.map((hash) => ({ key, scheme, hash })),
    ),
  )
}

/** A TPM2B_PUBLIC in base64, and the TPMT_PUBLIC that follows its two bytes of size (ambiguity PUBENC). */
function spellings(tpm2bPublic: string): readonly string[] {
  return [tpm2bPublic, toBase64(fromBase64(tpm2bPublic).subarray(2))]
}

function subjectsOf(offer: QuoteOffer, bank: string): readonly number[] {
  const subjects = offer.capabilities.available_subjects
  if (Array.isArray(subjects)) return subjects
  return new Map(Object.entries(subjects as Record<string, number[]>)).get(bank) ?? []
}

/** Answered in the form that was asked in: a list, or upstream's object in which unused banks are null. */
function presentSubjects(
  offer: QuoteOffer,
  bank: string,
  pcrs: readonly number[],
): QuoteParameters['selected_subjects'] {
  const subjects = offer.capabilities.available_subjects
  if (Array.isArray(subjects)) return pcrs
  return Object.fromEntries(
    Object.keys(subjects).map((name) => [name, name === bank ? pcrs : null]),
  )
}

/**
 * The chosen key in the form it was offered in: the document's four members, or all that upstream's
 * agents offer but the allow lists, known by their `local_identifier`.
 */
function presentKey(key: CertificationKey): Readonly<Record<string, unknown>> {
  const { allowable_hash_algorithms, allowable_signature_schemes, ...whole } = key
  if (key.local_identifier !== undefined) return whole
  const { public: _, ...chosen } = whole
  return chosen
}
