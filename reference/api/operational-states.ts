/**
 * `operational_state` (interface document, "Verifier operational state"): the document says that the integer exists,
 * the names and numbers are those in use.
 */
export const OPERATIONAL_STATES = {
  registered: 0,
  start: 1,
  saved: 2,
  get_quote: 3,
  get_quote_retry: 4,
  provide_v: 5,
  provide_v_retry: 6,
  failed: 7,
  terminated: 8,
  invalid_quote: 9,
  tenant_failed: 10,
} as const
export type OperationalState = keyof typeof OPERATIONAL_STATES
