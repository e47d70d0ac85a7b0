import { gapsOf, leastPause } from '../../../conformance/oracle/pauses.ts'
import type {
  PushAgentOptions,
  PushAgentProcess,
} from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation, PushStep } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'

/** Failures of each phase, and of one whose waits show how they grow. */
const FAILURES = 4
/** So many that an agent which takes a success for the end of one failure only waits far too long after the next one. */
const FAILURES_BEFORE_SUCCESS = 5
const MANY_FAILURES = 6
/** Failures of each phase of an agent whose waits are not configured, because they may be long. */
const FEW_FAILURES = 3
/**
 * Minimum ratio of the last two waits together to the first, or to the shorter of the first two if the first one is
 * configured. Exponential backoff gives at least six; jitter and a busy machine take some of it. Two waits, since a busy machine may make a single one long.
 */
const GROWS_BY = 3.2
/**
 * The smallest factor by which the waits of exponential backoff grow, a little less than one and a half: the last two
 * waits of four failures are then five times as long together as the configured one.
 */
const FACTOR = 1.44
/**
 * Maximum ratio to the configured wait of the time that an agent takes where it does not wait, as a busy machine may make
 * a wait longer by that time, and another one not.
 */
const BUSY_AT_MOST = 2
/**
 * Minimum ratio of the sixth wait to the fourth. Exponential backoff gives four, with a factor of one and a half 2.25;
 * waits that grow by the same amount each time give 1.5.
 */
const DOUBLES_BY = 2.05
/** Minimum ratio to the configured maximum of a wait that counts as the longest. */
const MAXIMUM = 0.7
/**
 * Maximum ratio of the first wait to the configured one. An agent that did not reset its backoff after its failures waits
 * at least sixteen times as long; a slow machine takes some of the difference.
 */
const AT_FIRST_AT_MOST = 11
/** Minimum ratio of a wait to the one before, to allow for jitter. */
const SHRINKS_TO = 0.5

/** A phase that fails repeatedly. */
interface Lasting {
  readonly step: 'register' | 'session' | 'capabilities' | 'evidence'
  readonly requirement: string
  readonly failures: number
}

export const REGISTRATION_FAILS: Lasting = {
  step: 'register',
  requirement: 'PSH-BACKOFF-REGISTRATION',
  failures: FAILURES,
}
export const SESSION_FAILS: Lasting = {
  step: 'session',
  requirement: 'PSH-BACKOFF',
  failures: MANY_FAILURES,
}
export const CAPABILITIES_FAIL: Lasting = {
  step: 'capabilities',
  requirement: 'PSH-BACKOFF',
  failures: FAILURES_BEFORE_SUCCESS,
}
/** Each of its failures comes after a challenge that was given. */
export const EVIDENCE_FAILS: Lasting = {
  step: 'evidence',
  requirement: 'PSH-BACKOFF',
  failures: FAILURES,
}

/** Steps that need no TPM command, by the accepted step before. */
const FOLLOWS_AT_ONCE: Partial<Record<PushStep, PushStep>> = {
  session: 'activate',
  capabilities: 'proof',
}

/** The waits stay below the maximum, and are long enough that a busy machine does not make them appear to grow. */
export const PATIENT: PushAgentOptions = { backoff: 120, backoffMax: 4000 }

/** The number of failures of a phase for this agent. */
function failuresOf({ patience }: PushAgentProcess, { failures }: Lasting): number {
  return patience.taken.backoff ? failures : FEW_FAILURES
}

/** Sets the answers before the first evidence. */
export function failAtFirst(agent: PushAgentProcess): void {
  const times = (lasting: Lasting) => failuresOf(agent, lasting)
  agent.registrar.misbehave([{ on: 'register', answer: '503', times: times(REGISTRATION_FAILS) }])
  agent.verifier.play([{ on: 'session', does: '500', times: times(SESSION_FAILS) }])
}

/** Sets the answers after accepted evidence. */
export function failLater(
  agent: PushAgentProcess,
  lasting: typeof CAPABILITIES_FAIL | typeof EVIDENCE_FAILS,
): void {
  const on = lasting.step === 'evidence' ? 'evidence' : 'capabilities'
  agent.verifier.play([{ on, does: '503', times: failuresOf(agent, lasting) }])
}

/** Returns the requests of a phase from operation `from` on: the failed ones, and one more. */
export async function triesOf(
  agent: PushAgentProcess,
  lasting: Lasting,
  from = 0,
): Promise<readonly PushOperation[]> {
  const failures = failuresOf(agent, lasting)
  let tries: readonly PushOperation[] = []
  // Sequential, since the time limit of the target file applies to each of them.
  while (tries.length <= failures) tries = await agent.took(lasting.step, tries.length + 1, from)
  return tries.slice(0, failures + 1)
}

/** Checks that the waits of a phase grow, regardless of earlier failures; called after a later step of the agent. */
export function checkGrowth(
  { check, observe }: Context,
  agent: PushAgentProcess,
  { step, requirement }: Lasting,
  tries: readonly PushOperation[],
): void {
  const gaps = waitsOf(agent, tries)
  const [first = 0, second = first] = gaps
  const { most, configured } = boundsOf(agent)
  const delay = Math.min(atOnce(agent), configured * BUSY_AT_MOST)
  // A constant wait fails by the configured one in any case.
  const base = (configured > 0 ? Math.min(first, second) : first) - delay
  const last = configured * (FACTOR ** (gaps.length - 2) + FACTOR ** (gaps.length - 1))
  const longest = Math.min(Math.max(base * GROWS_BY, last + 2 * delay), most)
  const least = leastPause(agent)
  check(requirement, `milliseconds of the first wait to ${step}`)
    .measured(first)
    .matches(`at least ${least}`, (ms) => ms >= least)
  check(requirement, `milliseconds of the waits to ${step}`)
    .measured(gaps)
    .matches(
      `the last two at least ${Math.round(longest)} together`,
      (all) => (all.at(-2) ?? 0) + (all.at(-1) ?? 0) >= longest,
    )
  if (gaps.length === MANY_FAILURES) checkDoubling({ check }, { step, requirement }, gaps, most)
  check(requirement, 'waits that are much shorter than the one before')
    .measured(gaps.filter((gap, at) => gap < ((gaps[at - 1] ?? 0) - 2 * delay) * SHRINKS_TO))
    .is([])
  observe('BACKOFF', `milliseconds of the waits to ${step}`, gaps)
}

/** The wait after each try but the last, in milliseconds: the longest of the pauses between its requests until the next try. */
function waitsOf(
  { operations }: Pick<PushAgentProcess, 'operations'>,
  tries: readonly PushOperation[],
): readonly number[] {
  const places = tries.map((one) => operations.indexOf(one))
  return places
    .slice(1)
    .map((end, at) => Math.max(...gapsOf(operations.slice(places[at], end + 1))))
}

/**
 * The longest time, in milliseconds, that the agent took for a step that follows an accepted one at once, without a TPM
 * command: on a busy machine each of its waits appears longer by about that much.
 */
function atOnce({ operations }: Pick<PushAgentProcess, 'operations'>): number {
  const gaps = operations.flatMap((one, at) => {
    const before = operations[at - 1]
    return before && FOLLOWS_AT_ONCE[one.step] === before.step ? gapsOf([before, one]) : []
  })
  return Math.max(0, ...gaps)
}

/** The least wait that counts as the longest, and the configured first wait; 0 if it is not configured. */
function boundsOf({ patience: { taken, backoff, backoffMax } }: PushAgentProcess) {
  return {
    most: taken.backoff_max ? backoffMax * MAXIMUM : Number.POSITIVE_INFINITY,
    configured: taken.backoff ? backoff : 0,
  }
}

/** Checks that the waits of many failures do not grow by the same amount each time. */
function checkDoubling(
  { check }: Pick<Context, 'check'>,
  { step, requirement }: Pick<Lasting, 'step' | 'requirement'>,
  gaps: readonly number[],
  most: number,
): void {
  check(requirement, `milliseconds of the fourth and the sixth wait to ${step}`)
    .measured([gaps[3] ?? 0, gaps[5] ?? 0])
    .matches(
      `the sixth ${DOUBLES_BY} times as long, or the maximum`,
      ([fourth = 0, sixth = 0]) => sixth >= Math.min(fourth * DOUBLES_BY, most),
    )
}

/** Checks that the backoff starts again after accepted evidence. */
export async function checkOver({ check }: Context, agent: PushAgentProcess): Promise<void> {
  const { backoff, taken } = agent.patience
  const before = agent.operations.length
  agent.verifier.play([{ on: 'capabilities', does: '503' }])
  const [failed, next] = await agent.took('capabilities', 2, before)
  const waited = Math.round((next?.request.at ?? 0) - (failed?.request.at ?? 0))
  const most = taken.backoff ? backoff * AT_FIRST_AT_MOST : Number.POSITIVE_INFINITY
  check('PSH-BACKOFF-OVER', 'milliseconds of the wait after a failure that is the first again')
    .measured(waited)
    .matches(`at most ${most}`, (ms) => ms <= most)
}
