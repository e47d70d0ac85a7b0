import type { JsonObject, LongText, Variant } from './form.ts'

/** How a variant has to end, with what our own reference says of it. */
export type Ending = Pick<Variant, 'outcome' | 'type' | 'checks'>

const QUOTE = 'quote_validation.quote_validation'
const INVALID = 'quote_validation.invalid_quote'

/** The bytes can be read, and do not hang together; reported by these checks and no other. */
export function broken(...checks: readonly string[]): Ending {
  return { outcome: 'broken_evidence_chain', type: QUOTE, checks }
}

/** A structure cannot be read; reported by these checks and no other. */
export function unreadable(...checks: readonly string[]): Ending {
  return { outcome: 'malformed', type: INVALID, checks }
}

/** The text is not of the form that carries the structures: nothing is looked at. */
export const REFUSED: Ending = { outcome: 'malformed', checks: [] }

export const PASSES: Ending = { outcome: 'pass', checks: [] }

/** Either answer will do; our own is reported by these checks, and is a pass when there are none. */
export function either(...checks: readonly string[]): Ending {
  return { outcome: 'either', checks }
}

/** Names a variant of one case: `e2-9-magic-zero` is the slug `magic-zero` of case 9. */
export function variantsOf(section: string, number: number, of: string) {
  return (
    slug: string,
    what: string,
    change: JsonObject | readonly JsonObject[],
    ending: Ending,
  ): Variant => ({ case: number, id: `${section}-${number}-${slug}`, what, of, change, ...ending })
}

const LONG_RUN = /([A-Za-z0-9])\1{63,}/g

/** A text with its long runs of one character in short form. */
export function shortened(text: string): LongText {
  const parts: LongText[] = []
  let end = 0
  for (const { 0: run, 1: character = '', index } of text.matchAll(LONG_RUN)) {
    parts.push(text.slice(end, index), { $repeat: character, count: run.length })
    end = index + run.length
  }
  return parts.length === 0 ? text : { $concat: [...parts, text.slice(end)] }
}
