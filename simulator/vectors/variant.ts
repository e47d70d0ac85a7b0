import type { JsonObject, LongText, Variant } from './form.ts'

/** Expected outcome of a variant, with the type and checks that the reference reports. */
export type Ending = Pick<Variant, 'outcome' | 'type' | 'checks'>

const QUOTE = 'quote_validation.quote_validation'
const INVALID = 'quote_validation.invalid_quote'

/** The bytes are readable and inconsistent; reported by exactly these checks. */
export function broken(...checks: readonly string[]): Ending {
  return { outcome: 'broken_evidence_chain', type: QUOTE, checks }
}

/** A structure is unreadable; reported by exactly these checks. */
export function unreadable(...checks: readonly string[]): Ending {
  return { outcome: 'malformed', type: INVALID, checks }
}

/** The text does not have the form that carries the structures; no check runs. */
export const REFUSED: Ending = { outcome: 'malformed', checks: [] }

export const PASSES: Ending = { outcome: 'pass', checks: [] }

/** Either answer is valid; the reference reports these checks, and passes if there are none. */
export function either(...checks: readonly string[]): Ending {
  return { outcome: 'either', checks }
}

/** Names the variants of one case: `e2-9-magic-zero` is the slug `magic-zero` of case 9. */
export function variantsOf(section: string, number: number, of: string) {
  return (
    slug: string,
    what: string,
    change: JsonObject | readonly JsonObject[],
    ending: Ending,
  ): Variant => ({ case: number, id: `${section}-${number}-${slug}`, what, of, change, ...ending })
}

const LONG_RUN = /([A-Za-z0-9])\1{63,}/g

/** Returns a string with its long runs of one character in short form. */
export function shortened(text: string): LongText {
  const parts: LongText[] = []
  let end = 0
  for (const { 0: run, 1: character = '', index } of text.matchAll(LONG_RUN)) {
    parts.push(text.slice(end, index), { $repeat: character, count: run.length })
    end = index + run.length
  }
  return parts.length === 0 ? text : { $concat: [...parts, text.slice(end)] }
}
