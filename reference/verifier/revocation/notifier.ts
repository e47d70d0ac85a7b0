import type { AgentRow } from '../../storage/databases/database.ts'
import type { Notice } from './compose-notice.ts'

/** A channel to receivers of notices. */
export interface Notifier {
  readonly name: string
  /**
   * Resolves after delivery; the number of receivers that refused it is logged.
   *
   * @throws if no receiver could be reached
   */
  notify(notice: Notice, about: AgentRow, signal: AbortSignal): Promise<void>
  close(): void | Promise<void>
}
