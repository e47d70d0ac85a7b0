import type { SecureContexts } from './secure-contexts.ts'
import type { Transcript } from './transcript.ts'

/** What the clients of one attempt share. */
export interface ConnectionOptions {
  readonly contexts: SecureContexts
  readonly transcript: Transcript
  /** What ends a request now: the scenario's time, or nothing while it is cleaned up. */
  readonly signal: () => AbortSignal
  /** Longest wait for one answer. */
  readonly requestMs: number
  /** Resolves when the next request may go out. */
  readonly pace: () => Promise<void>
  /** The certificate of the server is pinned, so that its name does not matter. */
  readonly anyName?: true
}
