/** Names of `operational_state` in common use; the interface document does not name them. */
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

/** States in which the verifier does not poll until an administrator acts. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'invalid_quote', 'tenant_failed'])

/** Name of a state; an unknown state is returned as text. */
export function nameOfState(state: unknown): string {
  if (typeof state !== 'number') return typeof state === 'string' ? state : '–'
  return NAMES[state] ?? String(state)
}

export function isFailed(state: unknown): boolean {
  return FAILED.has(nameOfState(state))
}
