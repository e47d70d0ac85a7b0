import { ApiError } from '../../errors.ts'
import type { EvidenceOffer, LogOffer, QuoteOffer } from '../attestation-shape.ts'
import type { CarriedIma } from './carried.ts'
import type { EvidenceItem } from './evidence-item.ts'
import type { RequiredEvidence } from './required-evidence.ts'
import { selectLog } from './select-log.ts'
import { type QuoteWishes, selectQuote } from './select-quote.ts'

export interface SelectionRequest {
  readonly offers: readonly EvidenceOffer[]
  readonly required: RequiredEvidence
  readonly wishes: QuoteWishes
  readonly certified: CarriedIma | undefined
  readonly challenge: string
}

/** The evidence asked for, always in the order quote, boot log, IMA list; what is not needed is not asked. */
export function selectEvidence(request: SelectionRequest): readonly EvidenceItem[] {
  const quote = find(request.offers, 'tpm_quote') as QuoteOffer
  const items: EvidenceItem[] = [item(quote, selectQuote(quote, request.wishes, request.challenge))]
  if (request.required.uefiLog) {
    const log = find(request.offers, 'uefi_log') as LogOffer
    items.push(item(log, selectLog(log, undefined)))
  }
  if (request.required.imaLog) {
    const log = find(request.offers, 'ima_log') as LogOffer
    items.push(item(log, selectLog(log, request.certified)))
  }
  return items
}

function find(
  offers: readonly EvidenceOffer[],
  type: EvidenceItem['evidence_type'],
): EvidenceOffer {
  const offer = offers.find(({ evidence_type }) => evidence_type === type)
  if (offer !== undefined) return offer
  throw new ApiError(
    'invalid_resource_data',
    `evidence_supported: the policies of this agent need a ${type}`,
    {
      pointer: '/data/attributes/evidence_supported',
    },
  )
}

function item(offer: EvidenceOffer, chosen: EvidenceItem['chosen_parameters']): EvidenceItem {
  const { evidence_class, evidence_type, capabilities } = offer
  return { evidence_class, evidence_type, capabilities, chosen_parameters: chosen }
}
