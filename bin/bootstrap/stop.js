/** A reason not to go on, for a person: one sentence, and the next thing to type when there is one. */
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
  'type npm start, or npm ci, in its folder',
)

/**
 * Prints a fault that has a `sentence`, and perhaps a stable `code` and a `next`, the way every part of Assay does.
 * @param {{ sentence: string, code?: string | undefined, next?: string | undefined }} fault
 */
export function printFault({ sentence, code, next }) {
  console.error(`assay: ${sentence}${code === undefined ? '' : ` [${code}]`}`)
  if (next !== undefined) console.error(`next: ${next}`)
}
