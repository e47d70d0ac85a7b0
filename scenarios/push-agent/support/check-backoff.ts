import { gapsOf, leastPause } from '../../../conformance/oracle/pauses.ts'
import type {
  PushAgentOptions,
  PushAgentProcess,
} from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { VerifierDeed } from '../../../simulator/services/scripted-verifier.ts'

/** How often each phase fails. */
const FAILURES = 3
/** How much longer the last of these waits is than the first: four times where nothing is left to chance or to a busy machine. */
const GROWS_BY = 1.6
/** How much longer than told the first wait may be: one that goes on growing is many times as long by then. */
const AT_FIRST_AT_MOST = 4
/** How much shorter than the one before a wait may be, by chance. */
const SHRINKS_TO = 0.5

/** A phase that fails for a while, and what its waits are judged by. */
export interface Lasting {
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
 * What an agent meets until its first evidence. The waits come nowhere near the longest, and are so long that a busy machine does not
 * make them look as if they grew.
 */
export const PATIENT: PushAgentOptions = {
  ...{ backoff: 500, backoffMax: 10_000 },
  registrar: [{ on: 'register', answer: '503', times: FAILURES }],
  script: [{ on: 'session', does: '500', times: FAILURES }],
}

/** What the verifier answers once evidence was taken. */
export const LATER_FAILURES: readonly VerifierDeed[] = [
  { on: 'capabilities', does: '503', times: FAILURES },
]

/** The waits of a phase grow from deed `from` on, whatever failed before. */
export async function checkGrowth(
  { check, observe }: Context,
  agent: PushAgentProcess,
  { step, requirement }: Lasting,
  from = 0,
): Promise<void> {
  let tries: readonly PushOperation[] = []
  // One after the other: the time that the target file gives an agent is for each of them.
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

/** Once evidence was taken the first failure is the first again. */
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
