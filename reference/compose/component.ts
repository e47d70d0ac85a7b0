import type { Server } from '../http-server/server.ts'
import type { VerifierMetrics } from './metrics.ts'

/** A component that is ready to listen. */
export interface Component {
  readonly server: Server
  /** The public routes without TLS; undefined if the settings give it no port. */
  readonly plain?: Server
  /** Counters for monitoring; undefined where the settings give them no port. */
  readonly metrics?: VerifierMetrics
  /** Ends the server, waits for work in hand, and closes the database. */
  close(): Promise<void>
}
