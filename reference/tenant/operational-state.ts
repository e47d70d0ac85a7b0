import { OPERATIONAL_STATES } from '../api/operational-states.ts'

const NAMES = new Map(Object.entries(OPERATIONAL_STATES).map(([name, number]) => [number, name]))

/** `3 (get_quote)`: the number of a record with its name, where it has one. */
export function presentState(state: unknown): string {
  const name = NAMES.get(state as (typeof OPERATIONAL_STATES)[keyof typeof OPERATIONAL_STATES])
  return name === undefined ? String(state) : `${String(state)} (${name})`
}
