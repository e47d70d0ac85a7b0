import type { FaultCode } from './fault-codes.ts'

/** Details of a fault, in addition to its sentence. */
interface FaultDetails {
  /** The next step, without a trailing full stop. */
  readonly next?: string
  /** A stable code for scripts; the sentence may be reworded. */
  readonly code?: FaultCode
  readonly cause?: unknown
}

/**
 * A problem with the set-up, such as the target file or the deployment, found before any verdict: exit code 2, never
 * a failed check. `sentence` is a complete message; `next` is the step that resolves it.
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

/** The error code of a Node error, such as `ENOENT`; the empty string if it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Why the system refused, in its own words, such as `no space left on device`; of another error the first line. */
export function reasonOfSystem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // A file is where a directory of the path would be.
  if (/^EEXIST: .+, mkdir /.test(message)) return 'not a directory'
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message.replace(/:?\n[\s\S]*/, '')
}
