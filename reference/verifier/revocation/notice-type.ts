import type { AgentRow } from '../../storage/databases/database.ts'
import type { OperationalEffect } from '../operational-state.ts'
import type { NoticeType } from './compose-notice.ts'

/** The notice type of a transition; undefined if it sends no notice. */
export function noticeTypeOf(
  effects: readonly OperationalEffect[],
  { attestation_count }: AgentRow,
): NoticeType | undefined {
  if (effects.includes('report_revocation')) return 'revocation'
  if (effects.includes('report_comm_error')) return 'comm_error'
  const hasAttested = attestation_count > 0
  return hasAttested && effects.includes('report_comm_error_once_attested')
    ? 'comm_error'
    : undefined
}
