import type { AgentRow } from '../storage/databases/database.ts'
import {
  numberOf,
  type OperationalEffect,
  type OperationalEvent,
  type OperationalMove,
  operationalMove,
} from './operational-state.ts'

/** The changes of a failed poll to the record. */
interface RecordedFailure {
  readonly severity_level: number
  readonly last_event_id: string
}

type Change = (agent: AgentRow, failure: RecordedFailure | undefined) => Partial<AgentRow>

/** What effects change in the record of an agent; the others happen elsewhere. */
const CHANGES: Readonly<Partial<Record<OperationalEffect, Change>>> = {
  become_push: () => ({ mode: 'push' }),
  forget_key: () => ({ public_key: null }),
  // An administrator has looked at what failed before, so it counts no more; neither do the passes, until there is another.
  forget_failures: (agent) => ({ failures: 0, started_with: agent.attestation_count }),
  count_failure: (agent, failure) => ({ failures: agent.failures + 1, ...pickFailure(failure) }),
}

function pickFailure(failure: RecordedFailure | undefined): Partial<AgentRow> {
  if (failure === undefined) return {}
  const { severity_level, last_event_id } = failure
  return { severity_level, last_event_id }
}

/** A transition, and its changes to the record. */
export interface Moving {
  readonly move: OperationalMove
  readonly change: Partial<AgentRow>
}

/** The move of an agent at `event`; undefined where the table has none, and where it ends the record. */
export function moving(
  table: readonly OperationalMove[],
  event: OperationalEvent,
  agent: AgentRow,
  failure?: RecordedFailure,
): Moving | undefined {
  const move = operationalMove(table, event, agent)
  const state = numberOf(move?.to)
  if (move === undefined || state === undefined) return undefined
  const changes = move.effects.map((effect) => CHANGES[effect]?.(agent, failure))
  return { move, change: Object.assign({ operational_state: state }, ...changes) }
}
