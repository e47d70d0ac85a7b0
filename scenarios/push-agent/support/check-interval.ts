import type { Check } from '../../../conformance/attempt/check.ts'
import { gapsOf } from '../../../conformance/oracle/pauses.ts'
import type { PushAgentProcess } from '../../../conformance/peers/push-agent-process.ts'

/** Milliseconds that a busy machine may add to a wait. */
const LATE_MS = 1500
/** Milliseconds that a wait may fall short: the verifier counts from the receipt, the agent from the answer. */
const EARLY_MS = 120
const SECOND = 1000

/** Returns the milliseconds between the last evidence and the next offer; waits for evidence if there is none yet. */
export async function nextWait(agent: PushAgentProcess): Promise<number> {
  const before = agent.operations.length
  await agent.took('evidence', 1, before)
  const at = agent.operations.findLastIndex(({ step }) => step === 'evidence')
  await agent.took('capabilities', 1, at)
  const next = agent.operations.slice(at).find(({ step }) => step === 'capabilities')
  const evidence = agent.operations[at]
  return (evidence && next && gapsOf([evidence, next])[0]) ?? 0
}

/** Checks that a wait equals one of these, in seconds. */
export function checkWait(
  check: Check,
  requirement: string,
  waited: number,
  waits: readonly number[],
): void {
  check(requirement, 'milliseconds from accepted evidence to the next offer')
    .measured(waited)
    .matches(`${waits.map((s) => s * SECOND).join(' or ')}, and at most ${LATE_MS} more`, (ms) =>
      waits.some((s) => isWait(ms, s)),
    )
}

/** Whether an agent waited for so many seconds, as exactly as it can be measured. */
export function isWait(ms: number, seconds: number): boolean {
  return ms >= seconds * SECOND - EARLY_MS && ms <= seconds * SECOND + LATE_MS
}
