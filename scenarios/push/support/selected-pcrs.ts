import { at } from '../../../conformance/attempt/reply.ts'
import type { Negotiation } from '../../../conformance/client/agents/evidence.ts'

const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/** `selected_subjects` of the quote as numbers; dialects write a list, or lists by bank. */
export function selectedPcrs({ requested }: Pick<Negotiation, 'requested'>): readonly number[] {
  const quote = requested.find(({ evidence_type }) => evidence_type === 'tpm_quote')
  const subjects = at(quote, 'chosen_parameters', 'selected_subjects')
  const lists = Array.isArray(subjects) ? [subjects] : Object.values(Object(subjects))
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(Number) : []))
}

/** The negotiation as if that PCR had not been selected. */
export function withoutPcr(negotiation: Negotiation, pcr: number): Negotiation {
  return withPcrs(negotiation, (pcrs) => pcrs.filter((each) => each !== pcr))
}

/** The negotiation as if another PCR had been selected in place of that one. */
export function withOtherPcr(negotiation: Negotiation, pcr: number): Negotiation {
  return withPcrs(negotiation, (pcrs) => {
    const other = ALL_PCRS.find((each) => !pcrs.includes(each)) ?? pcr
    return pcrs.map((each) => (each === pcr ? other : each)).toSorted((one, two) => one - two)
  })
}

function withPcrs(
  negotiation: Negotiation,
  change: (pcrs: readonly number[]) => readonly number[],
): Negotiation {
  const changed = (subjects: unknown): unknown =>
    Array.isArray(subjects)
      ? change(subjects.map(Number))
      : Object.fromEntries(
          Object.entries(Object(subjects)).map(([bank, pcrs]) => [bank, pcrs && changed(pcrs)]),
        )
  const requested = negotiation.requested.map((item) => {
    const { selected_subjects, ...chosen } = item.chosen_parameters
    if (selected_subjects === undefined) return item
    const parameters = { ...chosen, selected_subjects: changed(selected_subjects) }
    return { ...item, chosen_parameters: parameters }
  })
  return { ...negotiation, requested }
}
