import { gapsOf, leastPause } from '../../../conformance/oracle/pauses.ts'
import type {
  PushAgentOptions,
  PushAgentProcess,
} from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { VerifierScriptStep } from '../../../simulator/services/scripted-verifier.ts'

/** Failures of each phase. */
const FAILURES = 3
/**
 * Minimum ratio of the last wait to the first. Exponential backoff alone gives four; jitter and a busy machine take
 * some of it.
 */
const GROWS_BY = 1.6
/** Maximum ratio of the first wait to the configured one; an agent that did not reset its backoff exceeds it. */
const AT_FIRST_AT_MOST = 4
/** Minimum ratio of a wait to the one before, to allow for jitter. */
const SHRINKS_TO = 0.5

/** A phase that fails repeatedly, and the bounds of its waits. */
interface Lasting {
  readonly step: 'register' | 'session' | 'capabilities'
  readonly requirement: string
}

export const REGISTRATION_FAILS: Lasting = {
  step: 'register',
  requirement: 'PSH-BACKOFF-REGISTRATION',
}
export const SESSION_FAILS: Lasting = { step: 'session', requirement: 'PSH-BACKOFF' }
export const CAPABILITIES_FAIL: Lasting = { step: 'capabilities', requirement: 'PSH-BACKOFF' }

/**
 * Options for the phases before the first evidence. The waits stay below the maximum, and are long enough that a
 * busy machine does not make them appear to grow.
 */
export const PATIENT: PushAgentOptions = {
  ...{ backoff: 500, backoffMax: 10_000 },
  registrar: [{ on: 'register', answer: '503', times: FAILURES }],
  script: [{ on: 'session', does: '500', times: FAILURES }],
}

/** Answers of the verifier after accepted evidence. */
export const LATER_FAILURES: readonly VerifierScriptStep[] = [
  { on: 'capabilities', does: '503', times: FAILURES },
]

/** Checks that the waits of a phase grow from operation `from` on, regardless of earlier failures. */
export async function checkGrowth(
  { check, observe }: Context,
  agent: PushAgentProcess,
  { step, requirement }: Lasting,
  from = 0,
): Promise<void> {
  let tries: readonly PushOperation[] = []
  // Sequential, since the time limit of the target file applies to each of them.
  while (tries.length <= FAILURES) tries = await agent.took(step, tries.length + 1, from)
  const gaps = gapsOf(tries.slice(0, FAILURES + 1))
  const [first = 0] = gaps
  const least = leastPause(agent)
  check(requirement, `milliseconds of the first wait to ${step}`)
    .measured(first)
    .matches(`at least ${least}`, (ms) => ms >= least)
  check(requirement, `milliseconds of the waits to ${step}`)
    .measured(gaps)
    .matches(`the last ${GROWS_BY} times as long as the first`, (all) => {
      return (all.at(-1) ?? 0) >= first * GROWS_BY
    })
  check(requirement, 'waits that are much shorter than the one before')
    .measured(gaps.filter((gap, at) => gap < (gaps[at - 1] ?? 0) * SHRINKS_TO))
    .is([])
  observe('BACKOFF', `milliseconds of the waits to ${step}`, gaps)
}

/** Checks that the backoff starts again after accepted evidence. */
export async function checkOver({ check }: Context, agent: PushAgentProcess): Promise<void> {
  const { backoff, taken } = agent.patience
  const before = agent.operations.length
  agent.verifier.play([{ on: 'capabilities', does: '503' }])
  const [failed, next] = await agent.took('capabilities', 2, before)
  const waited = Math.round((next?.heard.at ?? 0) - (failed?.heard.at ?? 0))
  const most = taken.backoff ? backoff * AT_FIRST_AT_MOST : Number.POSITIVE_INFINITY
  check('PSH-BACKOFF-OVER', 'milliseconds of the wait after a failure that is the first again')
    .measured(waited)
    .matches(`at most ${most}`, (ms) => ms <= most)
}
