import type { AgentRow } from '../storage/databases/database.ts'
import type { TaskResult } from './evaluation/task.ts'
import { type CarriedEvidence, readCarried } from './push/carried.ts'

/** One evaluation, as the record of its agent has to know it. */
interface EvaluatedEvidence {
  readonly result: TaskResult
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** The evidence from which the requested start of the IMA list was chosen. */
  readonly begunWith: CarriedEvidence | undefined
  readonly bootTime: string | undefined
}

/** The changes that an evaluation makes to an agent record, for pushed and polled evidence alike. */
export function agentAfter(agent: AgentRow, evidence: EvaluatedEvidence): Partial<AgentRow> {
  const { evaluation, chosen } = evidence.result
  const received = Math.floor(evidence.receivedAt / 1000)
  const common = {
    last_received_quote: received,
    hash_alg: chosen?.hash_algorithm ?? agent.hash_alg,
    sign_alg: chosen?.signature_scheme ?? agent.sign_alg,
  }
  if (evaluation.verdict === 'fail') {
    return {
      ...common,
      failures: agent.failures + 1,
      carried: withoutIma(agent),
    }
  }
  return {
    ...common,
    attestation_count: agent.attestation_count + 1,
    last_successful_attestation: received,
    carried: JSON.stringify(carryOver(evidence)),
  }
}

function carryOver({ result, begunWith, bootTime }: EvaluatedEvidence): CarriedEvidence {
  const { evaluation, policy, startingOffset = 0 } = result
  const before = startingOffset > 0 ? begunWith?.ima : undefined
  const { ima, clock } = evaluation
  // A policy that was replaced since the list was asked for has not judged the entries before it.
  const isOfOnePolicy = before === undefined || before.policy === policy
  return {
    boot_time: bootTime,
    ima:
      isOfOnePolicy && ima
        ? {
            policy,
            entries: (before?.entries ?? 0) + ima.entriesCertified,
            lines: (before?.lines ?? 0) + ima.linesCertified,
            values: ima.carried,
            learned: ima.learned,
          }
        : undefined,
    clock: clock && {
      clock: String(clock.clock),
      resetCount: clock.resetCount,
      restartCount: clock.restartCount,
    },
  }
}

/** After a failure the next list starts at 0; the clock is not forgotten. */
function withoutIma(agent: AgentRow): string | null {
  const carried = readCarried(agent)
  return carried === undefined ? null : JSON.stringify({ ...carried, ima: undefined })
}
