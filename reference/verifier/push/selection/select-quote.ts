import { ApiError } from '../../../errors.ts'
import type { CertificationKey, QuoteOffer } from '../../shapes/attestation-shape.ts'
import type { QuoteParameters } from './evidence-item.ts'
import {
  type QuoteCandidate,
  type QuoteRule,
  type QuoteWishes,
  quoteCandidates,
  subjectsOf,
} from './quote-rules.ts'

interface SelectedQuote {
  /** The offer that can be used, the first where several can. */
  readonly offer: QuoteOffer
  readonly chosen: QuoteParameters
}

/** Chooses offer, signature scheme, hash, PCRs and key: the first combination that every rule keeps. */
export function selectQuote(
  offers: readonly QuoteOffer[],
  wishes: QuoteWishes,
  challenge: string,
  rules: readonly QuoteRule[],
): SelectedQuote {
  const { offer, key, scheme, hash } = firstUsable(offers, wishes, rules)
  const offered = subjectsOf(offer, hash)
  const pcrs = wishes.pcrs.length > 0 ? wishes.pcrs : offered.filter((pcr) => pcr < 16)
  const chosen = {
    challenge,
    signature_scheme: scheme,
    hash_algorithm: hash,
    selected_subjects: presentSubjects(offer, hash, pcrs),
    certification_key: presentKey(key),
  }
  return { offer, chosen }
}

function firstUsable(
  offers: readonly QuoteOffer[],
  wishes: QuoteWishes,
  rules: readonly QuoteRule[],
): QuoteCandidate {
  let candidates = quoteCandidates(offers, wishes)
  for (const { why, keeps } of rules) {
    candidates = candidates.filter((candidate) => keeps(candidate, wishes))
    if (candidates.length === 0) {
      throw new ApiError('invalid_resource_data', `evidence_supported: ${why}`, {
        pointer: '/data/attributes/evidence_supported',
      })
    }
  }
  const [best] = candidates
  if (best === undefined) throw new Error('a quote was to be selected, and none is offered')
  return best
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
