import type { FaultCode } from './fault-codes.ts'

/** What the person who reads a fault can be told besides its sentence. */
export interface FaultDetails {
  /** The next thing to do or to type, without a trailing full stop. */
  readonly next?: string
  /** Stays the same when the sentence is reworded. */
  readonly code?: FaultCode
  readonly cause?: unknown
}

/**
 * A problem between Assay and what it was asked to judge, found before any verdict: exit code 2, never a failed check.
 * `sentence` is complete on its own and is what people read; `next` is the one step that mends it.
 */
export class SetupFault extends Error {
  readonly sentence: string
  readonly next?: string
  readonly code?: FaultCode

  constructor(sentence: string, details: FaultDetails = {}) {
    super(sentence, details.cause === undefined ? {} : { cause: details.cause })
    this.name = 'SetupFault'
    this.sentence = sentence
    if (details.next !== undefined) this.next = details.next
    if (details.code !== undefined) this.code = details.code
  }
}

/** The error code of a Node error, e.g. `ENOENT`; the empty string when there is none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
