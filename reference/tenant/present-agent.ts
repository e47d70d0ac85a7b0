import { presentState } from './operational-state.ts'
import { presentRecord, presentRows } from './present.ts'
import type { Members } from './read-members.ts'

/** A record of the verifier as text. */
export function presentVerified(agentId: string, record: Members): string {
  const state = presentState(record.operational_state)
  return presentRecord(`verifier: ${agentId}`, {
    ...record,
    ...('operational_state' in record && { operational_state: state }),
    ...times(record),
  })
}

const TIMES = ['last_received_quote', 'last_successful_attestation'] as const

/** Seconds since 1970 as a date; 0 is never. */
function times(record: Members): Members {
  return Object.fromEntries(
    TIMES.flatMap((name) => {
      const seconds = record[name]
      return typeof seconds === 'number' ? [[name, presentTime(seconds)]] : []
    }),
  )
}

function presentTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (seconds === 0 || Number.isNaN(date.getTime()))
    return seconds === 0 ? 'never' : String(seconds)
  return date.toISOString().replace('.000Z', 'Z')
}

/** A record of the registrar as text. */
export function presentRegistered(agentId: string, record: Members): string {
  return presentRecord(`registrar: ${agentId}`, record)
}

/** A row for each agent of the verifier. */
export function presentBulk(agents: Readonly<Record<string, Members>>): string {
  const rows = Object.entries(agents).map(([id, record]) => [
    id,
    presentState(record.operational_state),
    record.attestation_status ?? '',
    record.attestation_count ?? '',
    `${record.ip ?? ''}:${record.port ?? ''}`,
  ])
  return rows.length === 0
    ? 'no agents'
    : presentRows(['agent', 'operational_state', 'status', 'attestations', 'address'], rows)
}
