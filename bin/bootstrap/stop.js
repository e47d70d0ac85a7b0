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
 * Prints a fault in the common format: its `sentence`, and if present its stable `code` and its `next`.
 * @param {{ sentence: string, code?: string | undefined, next?: string | undefined }} fault
 */
export function printFault({ sentence, code, next }) {
  console.error(`assay: ${sentence}${code === undefined ? '' : ` [${code}]`}`)
  if (next !== undefined) console.error(`next: ${next}`)
}
