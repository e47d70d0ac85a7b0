import type { HashAlgorithm } from '../../../tpm/algorithms.ts'
import { type ReadEvent, readEventData } from '../log/event-data.ts'
import { eventTypes } from '../log/event-types.ts'
import type { BootLog } from '../log/parse-log.ts'
import type { BootPolicy } from './boot-policy.ts'
import { type EventRole, EXAMPLE_PCRS, roleOf } from './boot-rules.ts'

/** A quoted log with its events parsed and sorted, and the policy for it. */
export interface BootPolicyCase {
  readonly policy: BootPolicy
  /** bank whose digests were quoted */
  readonly bank: string
  /** every event that has a role, in the order of the log */
  readonly events: readonly ReadEvent[]
  /** the same by their kind under the policy, each in the order of the log */
  readonly roles: ReadonlyMap<EventRole, readonly ReadEvent[]>
  /** events of the policy's PCRs that there must not be */
  readonly strangers: readonly ReadEvent[]
}

const relied: ReadonlySet<number> = new Set(EXAMPLE_PCRS)

/** Reads and sorts the events of the PCRs that the `example` policy needs; only these are verified. */
export function sortEvents(log: BootLog, bank: HashAlgorithm): Omit<BootPolicyCase, 'policy'> {
  const events: ReadEvent[] = []
  const roles = new Map<EventRole, ReadEvent[]>()
  const strangers: ReadEvent[] = []
  for (const event of log.events) {
    if (event.untrustedType === eventTypes.EV_NO_ACTION || !relied.has(event.pcr)) continue
    const role = roleOf(event.pcr, event.untrustedType)
    const read = readEventData(event, bank)
    if (role === undefined) {
      strangers.push(read)
      continue
    }
    events.push(read)
    keep(roles, role, read)
  }
  return { bank: bank.name, events, roles, strangers }
}

function keep(roles: Map<EventRole, ReadEvent[]>, role: EventRole, event: ReadEvent): void {
  const known = roles.get(role)
  if (known === undefined) roles.set(role, [event])
  else known.push(event)
}

const NONE: readonly ReadEvent[] = []

/** Events of one role. */
export function eventsOf(
  { roles }: Pick<BootPolicyCase, 'roles'>,
  role: EventRole,
): readonly ReadEvent[] {
  return roles.get(role) ?? NONE
}
