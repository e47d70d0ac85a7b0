/** Names of `operational_state` as they are in use; the interface document has none. */
const NAMES = [
  'registered',
  'start',
  'saved',
  'get_quote',
  'get_quote_retry',
  'provide_v',
  'provide_v_retry',
  'failed',
  'terminated',
  'invalid_quote',
  'tenant_failed',
] as const

/** States from which no quote is asked for until somebody does something. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'invalid_quote', 'tenant_failed'])

/** A name for people; a state that has none is shown as it came. */
export function nameOfState(state: unknown): string {
  if (typeof state !== 'number') return typeof state === 'string' ? state : '–'
  return NAMES[state] ?? String(state)
}

export function isFailed(state: unknown): boolean {
  return FAILED.has(nameOfState(state))
}
