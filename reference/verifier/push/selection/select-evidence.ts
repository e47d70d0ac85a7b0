import { ApiError } from '../../../errors.ts'
import type { EvidenceOffer, LogOffer, QuoteOffer } from '../../shapes/attestation-shape.ts'
import type { CarriedIma } from '../carried.ts'
import type { EvidenceItem } from './evidence-item.ts'
import type { QuoteRule, QuoteWishes } from './quote-rules.ts'
import type { RequiredEvidence } from './required-evidence.ts'
import { selectLog } from './select-log.ts'
import { selectQuote } from './select-quote.ts'

export interface SelectionRequest {
  readonly offers: readonly EvidenceOffer[]
  readonly required: RequiredEvidence
  readonly wishes: QuoteWishes
  readonly certified: CarriedIma | undefined
  readonly challenge: string
  readonly rules: readonly QuoteRule[]
}

/** The evidence asked for, always in the order quote, boot log, IMA list; unneeded evidence is not requested. */
export function selectEvidence(request: SelectionRequest): readonly EvidenceItem[] {
  const quotes = offered(request.offers, 'tpm_quote') as readonly QuoteOffer[]
  const quote = selectQuote(quotes, request.wishes, request.challenge, request.rules)
  const items: EvidenceItem[] = [item(quote.offer, quote.chosen)]
  if (request.required.uefiLog) {
    const [log] = offered(request.offers, 'uefi_log') as readonly [LogOffer]
    items.push(item(log, selectLog(log, undefined)))
  }
  if (request.required.imaLog) {
    const [log] = offered(request.offers, 'ima_log') as readonly [LogOffer]
    items.push(item(log, selectLog(log, request.certified)))
  }
  return items
}

/** The offers of that type, of which there is one at least. */
function offered(
  offers: readonly EvidenceOffer[],
  type: EvidenceItem['evidence_type'],
): readonly EvidenceOffer[] {
  const found = offers.filter(({ evidence_type }) => evidence_type === type)
  if (found.length > 0) return found
  throw new ApiError(
    'invalid_resource_data',
    `evidence_supported: the policies of this agent need a ${type}`,
    { pointer: '/data/attributes/evidence_supported' },
  )
}

function item(offer: EvidenceOffer, chosen: EvidenceItem['chosen_parameters']): EvidenceItem {
  const { evidence_class, evidence_type, capabilities } = offer
  return { evidence_class, evidence_type, capabilities, chosen_parameters: chosen }
}
