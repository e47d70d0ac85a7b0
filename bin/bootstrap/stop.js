/** An error for the user: one sentence, and optionally what to do next. */
export class Stop extends Error {
  /**
   * @param {string} sentence
   * @param {string} [next]
   */
  constructor(sentence, next) {
    super(sentence)
    this.sentence = sentence
    this.next = next
  }
}

export const PACKAGES_MISSING = new Stop(
  'the packages Assay needs are not installed',
  'run npm start, or npm ci, in its folder',
)

/**
 * The text with controls spelled out, since a terminal would obey them: a fault may quote a subject.
 * @param {string} text
 */
function visible(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}

/**
 * Prints a fault in the common format: its `sentence`, and if present its stable `code` and its `next`.
 * @param {{ sentence: string, code?: string | undefined, next?: string | undefined }} fault
 */
export function printFault({ sentence, code, next }) {
  console.error(visible(`assay: ${sentence}${code === undefined ? '' : ` [${code}]`}`))
  if (next !== undefined) console.error(visible(`next: ${next}`))
}
