import type { KeptConnections } from './tls/kept-connections.ts'
import type { SecureContexts } from './tls/secure-contexts.ts'
import type { Transcript } from './transcript.ts'

/** Options that the clients of one attempt share. */
export interface ConnectionOptions {
  readonly contexts: SecureContexts
  /** Connections that outlive the attempt. Default: none */
  readonly kept?: KeptConnections
  readonly transcript: Transcript
  /** Aborts requests at the scenario's time limit; never during cleanup. */
  readonly signal: () => AbortSignal
  /** Longest wait for one response, in milliseconds. */
  readonly requestMs: number
  /** Resolves when the next request may be sent. */
  readonly pace: () => Promise<void>
  /** Skips the host name check, because the server certificate is pinned. */
  readonly anyName?: true
}
