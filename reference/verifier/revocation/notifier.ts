import type { AgentRow } from '../../storage/databases/database.ts'
import type { Notice } from './compose-notice.ts'

/** One way of telling receivers. */
export interface Notifier {
  readonly name: string
  /**
   * Resolves when they are told; how many do not take it is in the log.
   *
   * @throws when nobody could be told
   */
  notify(notice: Notice, about: AgentRow, signal: AbortSignal): Promise<void>
  close(): void | Promise<void>
}
