import { mebibytes } from '../../simulator/agents/http/read-body.ts'
import { presentDuration } from '../input/duration.ts'

/** The most bytes of one answer: a list of 100,000 entries may have 335 bytes for each. */
export const MOST_ANSWER_BYTES = 32 * 1024 * 1024

/** Why the harness stopped reading an answer, as the end of a sentence that begins with the answer. */
export const TOO_LONG = `has more than ${mebibytes(MOST_ANSWER_BYTES)}`

/** As {@link TOO_LONG}, for an answer that began and did not end. */
export function tooSlow(withinMs: number): string {
  return `began and did not end within ${presentDuration(withinMs)}`
}
