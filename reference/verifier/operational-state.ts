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

/** What an administrator does to an agent. */
export type OperationalEvent = 'added' | 'stopped' | 'reactivated'

export interface OperationalMove {
  readonly event: OperationalEvent
  /** Undefined where there was no agent before. */
  readonly from: OperationalState | undefined
  readonly to: OperationalState
}

const STATES = Object.keys(OPERATIONAL_STATES) as readonly OperationalState[]

/** An agent that is ended comes back by no road but being added. */
const LIVE = STATES.filter((state) => state !== 'terminated')

/**
 * The moves of an agent that attests by itself: it is in `get_quote`, or stopped. Stopping one that is stopped, and
 * starting one that runs, change nothing. A move that is not listed does not exist.
 */
export const OPERATIONAL_MOVES: readonly OperationalMove[] = [
  { event: 'added', from: undefined, to: 'get_quote' },
  ...LIVE.map((from) => ({ event: 'stopped', from, to: 'tenant_failed' }) as const),
  ...LIVE.map((from) => ({ event: 'reactivated', from, to: 'get_quote' }) as const),
]

/** States in which the verification of an agent has failed, whatever its last evidence was. */
const FAILED: readonly OperationalState[] = ['failed', 'invalid_quote', 'tenant_failed']

/** The number of the state after `event`, or undefined where the table has no such move. */
export function nextOperationalState(
  moves: readonly OperationalMove[],
  event: OperationalEvent,
  from?: number,
): number | undefined {
  const move = moves.find((row) => row.event === event && numberOf(row.from) === from)
  return numberOf(move?.to)
}

/** Whether the state by itself says that verification has failed. */
export function isFailedState(state: number): boolean {
  return FAILED.some((name) => OPERATIONAL_STATES[name] === state)
}

function numberOf(state: OperationalState | undefined): number | undefined {
  return state === undefined ? undefined : OPERATIONAL_STATES[state]
}
