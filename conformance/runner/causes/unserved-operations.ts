import { presentReply } from '../../attempt/reply.ts'
import { standingOf } from '../../report/diff/standing.ts'
import type { ScenarioResult, UnservedOperation } from '../../report/result.ts'
import type { TranscriptEntry } from '../../report/transcripts/transcript-entry.ts'

interface Answered extends UnservedOperation {
  readonly served: boolean
}

/** What an exchange of a transcript asked for; undefined if it asked for no operation, or is none. */
function answeredIn(entry: TranscriptEntry): Answered | undefined {
  if (entry.lane !== 'wire' || entry.operation === undefined) return undefined
  const { operation, response, failure } = entry
  const { status = 0 } = response ?? {}
  const answer = presentReply({ status: response?.status, failure })
  return { operation, answer, served: status >= 200 && status < 300 }
}

const nameOf = ({ id, version }: Pick<ScenarioResult, 'id' | 'version'>): string =>
  `${id}@${version}`

/**
 * Learns which operations a run asks for, and which of them a subject answers with success. What a scenario fails for after
 * an operation that no scenario was served says nothing more than that.
 */
export class UnservedOperations {
  readonly #served = new Set<string>()
  readonly #askedBefore = new Map<string, readonly UnservedOperation[]>()

  /** `beforeCleanUp` is the number of entries of the transcript that the scenario itself made. */
  learn(result: ScenarioResult, entries: readonly TranscriptEntry[], beforeCleanUp: number): void {
    const answered = entries.map(answeredIn)
    for (const one of answered) if (one?.served) this.#served.add(one.operation)
    if (result.outcome !== 'fail' && result.outcome !== 'hang') return
    const { at = beforeCleanUp } = result.checks.find((one) => standingOf(one) === 'broke') ?? {}
    const before = answered.slice(0, Math.min(at + 1, beforeCleanUp))
    const refused = before.flatMap((one) =>
      one === undefined || one.served ? [] : { operation: one.operation, answer: one.answer },
    )
    this.#askedBefore.set(nameOf(result), refused)
  }

  /** The first operation that a scenario asked for before it failed, and that none was served; undefined without one. */
  of(result: Pick<ScenarioResult, 'id' | 'version'>): UnservedOperation | undefined {
    const asked = this.#askedBefore.get(nameOf(result))
    return asked?.find(({ operation }) => !this.#served.has(operation))
  }
}
