import { OPERATIONAL_STATES } from '../api/operational-states.ts'

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(OPERATIONAL_STATES).map(([name, number]) => [number, name]),
)

/** The name of the number of a record; undefined where it has none. */
export function stateName(state: unknown): string | undefined {
  return NAMES.get(state)
}

/** `3 (get_quote)`: the number of a record with its name, where it has one. */
export function presentState(state: unknown): string {
  const name = stateName(state)
  return name === undefined ? String(state) : `${String(state)} (${name})`
}
