import { ApiError } from '../../../errors.ts'
import type { LogOffer } from '../../shapes/attestation-shape.ts'
import type { CarriedIma } from '../carried.ts'
import type { LogParameters } from './evidence-item.ts'

export const BINARY_FORMAT = 'application/octet-stream'
const TEXT_FORMAT = 'text/plain'

/** Formats this verifier reads, best first: a binary IMA list has no ambiguous names. */
const FORMATS: Readonly<Record<LogOffer['evidence_type'], readonly string[]>> = {
  ima_log: [BINARY_FORMAT, TEXT_FORMAT],
  uefi_log: [BINARY_FORMAT],
}

/**
 * Chooses format and offset of a log. An offset is only asked of an agent that supports partial access. Of a text
 * list in which a name takes several lines the whole is asked for: some agents count its lines, others its entries.
 */
export function selectLog(offer: LogOffer, certified: CarriedIma | undefined): LogParameters {
  const { evidence_type, capabilities } = offer
  const offered = capabilities.formats ?? FORMATS[evidence_type]
  const format = FORMATS[evidence_type].find((known) => offered.includes(known))
  if (format === undefined) {
    throw refuse(
      `${evidence_type}: none of the formats ${FORMATS[evidence_type].join(', ')} is offered`,
    )
  }
  const count = capabilities.entry_count ?? 0
  const ambiguous = format === TEXT_FORMAT && certified?.lines !== certified?.entries
  const before = ambiguous ? 0 : (certified?.entries ?? 0)
  const offset = capabilities.supports_partial_access === true ? before : 0
  if (offset > count) {
    throw refuse(
      `${evidence_type}: entry_count ${count} is below the ${offset} entries certified before`,
    )
  }
  return { starting_offset: offset, entry_count: count - offset, format }
}

function refuse(detail: string): ApiError {
  return new ApiError('invalid_resource_data', detail, {
    pointer: '/data/attributes/evidence_supported',
  })
}
