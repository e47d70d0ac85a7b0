import type { EvidenceOffer } from '../../shapes/attestation-shape.ts'

export interface QuoteParameters {
  /** base64 nonce; the decoded bytes are the quote's qualifyingData (ambiguity NONCEENC). */
  readonly challenge: string
  readonly signature_scheme: string
  readonly hash_algorithm: string
  readonly selected_subjects: readonly number[] | Readonly<Record<string, readonly number[] | null>>
  readonly certification_key: Readonly<Record<string, unknown>>
}

export interface LogParameters {
  readonly starting_offset: number
  readonly entry_count: number
  readonly format: string
}

/** One evidence item through its life: offered, requested, collected (interface document, "Evidence item shapes"). */
export interface EvidenceItem {
  readonly evidence_class: string
  readonly evidence_type: 'tpm_quote' | 'ima_log' | 'uefi_log'
  readonly capabilities: EvidenceOffer['capabilities']
  readonly chosen_parameters: QuoteParameters | LogParameters
  readonly data?: Readonly<Record<string, unknown>>
}

export function quoteParameters(items: readonly EvidenceItem[]): QuoteParameters | undefined {
  const item = items.find(({ evidence_type }) => evidence_type === 'tpm_quote')
  return item?.chosen_parameters as QuoteParameters | undefined
}

/** Where the IMA list of this attestation starts; 0 when none was asked for. */
export function startingOffset(items: readonly EvidenceItem[]): number {
  const item = items.find(({ evidence_type }) => evidence_type === 'ima_log')
  return item === undefined ? 0 : logParameters(item).starting_offset
}

export function logParameters(item: EvidenceItem): LogParameters {
  return item.chosen_parameters as LogParameters
}
