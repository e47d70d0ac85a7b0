import { at } from '../../../conformance/attempt/reply.ts'
import type { Negotiation } from '../../../conformance/client/agents/evidence.ts'

/** `selected_subjects` of the quote as numbers; dialects write a list, or lists by bank. */
export function selectedPcrs({ requested }: Pick<Negotiation, 'requested'>): readonly number[] {
  const quote = requested.find(({ evidence_type }) => evidence_type === 'tpm_quote')
  const subjects = at(quote, 'chosen_parameters', 'selected_subjects')
  const lists = Array.isArray(subjects) ? [subjects] : Object.values(Object(subjects))
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(Number) : []))
}

/** The negotiation as if that PCR had not been selected. */
export function withoutPcr(negotiation: Negotiation, pcr: number): Negotiation {
  const less = (subjects: unknown): unknown =>
    Array.isArray(subjects)
      ? subjects.filter((each) => Number(each) !== pcr)
      : Object.fromEntries(
          Object.entries(Object(subjects)).map(([bank, pcrs]) => [bank, pcrs && less(pcrs)]),
        )
  const requested = negotiation.requested.map((item) => {
    const { selected_subjects, ...chosen } = item.chosen_parameters
    if (selected_subjects === undefined) return item
    return { ...item, chosen_parameters: { ...chosen, selected_subjects: less(selected_subjects) } }
  })
  return { ...negotiation, requested }
}
