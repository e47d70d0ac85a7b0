import { constants, sign } from 'node:crypto'
import { toBase64 } from '../../bytes/base64.ts'
import type { AgentRow } from '../../storage/databases/database.ts'

/** The reasons for a notice: evidence did not verify, or an agent does not answer any more. */
export type NoticeType = 'revocation' | 'comm_error'

/** What happened to an agent. */
export interface Incident {
  readonly type: NoticeType
  readonly agent: AgentRow
  readonly failure: {
    readonly severity_level: number
    readonly last_event_id: string
    /** JSON of the finding's context. */
    readonly context: string
  }
}

/** A notice: the text of a JSON object, and the signature over its UTF-8 bytes; empty where no key was given. */
export interface Notice {
  readonly msg: string
  readonly signature: string
}

/**
 * The message about an incident, in the members and the signature that receivers know (the document says only that the
 * `revocation_key` of an agent signs it).
 *
 * @throws the error of node:crypto for a revocation key that cannot sign
 */
export function composeNotice(
  { type, agent, failure }: Incident,
  labels: readonly string[],
  now: number,
): Notice {
  const msg = JSON.stringify({
    type,
    ip: agent.ip,
    agent_id: agent.agent_id,
    port: agent.port === null ? null : Number(agent.port),
    tpm_policy: agent.tpm_policy,
    meta_data: agent.meta_data,
    event_time: clockText(now),
    event_id: failure.last_event_id,
    severity_label: labels[failure.severity_level] ?? '',
    context: failure.context,
  })
  return { msg, signature: signed(agent.revocation_key, msg) }
}

/**
 * RSASSA-PSS with SHA-256, and the longest salt that fits; base64.
 *
 * @throws the error of node:crypto for a key that cannot sign
 */
export function signed(key: string, msg: string): string {
  if (key === '') return ''
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_MAX_SIGN: saltLength } = constants
  return toBase64(sign('sha256', new TextEncoder().encode(msg), { key, padding, saltLength }))
}

const UTC_TEXT = /^(?<day>\w+), 0?(?<date>\d+) (?<month>\w+) (?<year>\d+) (?<time>[\d:]+)/

/** As C writes it, in UTC: `Fri Jan  2 03:04:05 2026`. */
function clockText(now: number): string {
  const {
    day,
    date = '',
    month,
    year,
    time,
  } = UTC_TEXT.exec(new Date(now).toUTCString())?.groups ?? {}
  return [day, month, date.padStart(2), time, year].join(' ')
}
