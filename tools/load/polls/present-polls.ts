import type { PollCounts } from './poll-gaps.ts'
import type { PollsOptions } from './polls-options.ts'

/** What was seen of a verifier that polls. */
export interface Watched extends PollCounts {
  readonly ms: number
  /** CPU of the verifier in that time. */
  readonly cpuMs: number
  /** CPU of one P-256 verification in the same run. */
  readonly primitiveMs: number
  /** Resident memory at the end, in bytes. */
  readonly rss: number
  /** By how many bytes it grew in a minute, in the second half. */
  readonly growth: number
  readonly intervalMs: number
}

/** A peer's verifier pays so many milliseconds of CPU for a poll of such an agent. */
const PEER_MS = 15
/** A verifier whose memory grows by less than this part of it in a minute does not grow. */
const FLAT = 0.05
/** What a short watch sees of memory is the collector of garbage at work. */
const LONG_ENOUGH_MS = 30_000

const MIB = 1024 * 1024

export interface PollsVerdict {
  readonly lines: readonly string[]
  readonly isGood: boolean
}

/** What was seen in lines for people, and whether it is as it should be. */
export function presentPolls(
  watched: Watched & { readonly passed: number },
  { agents }: Pick<PollsOptions, 'agents'>,
): PollsVerdict {
  const { polls, ms, gap, missed, fewest, cpuMs, passed, rss, growth } = watched
  const each = cpuMs / polls
  const isFlat = ms < LONG_ENOUGH_MS || growth <= FLAT * rss
  const share = (100 * cpuMs) / ms
  return {
    isGood: missed === 0 && passed === agents && isFlat,
    lines: [
      `${polls} polls of ${agents} agents in ${(ms / 1000).toFixed(1)} s, ${((1000 * polls) / ms).toFixed(1)} a second; every agent at least ${fewest} times`,
      `between two polls of an agent: p50 ${gap.p50} ms, p95 ${gap.p95} ms, at most ${gap.most} ms; ${missed} of its ${watched.intervalMs} ms intervals missed`,
      `${passed} of ${agents} agents pass`,
      `CPU of the verifier: ${each.toFixed(2)} ms a poll, ${share.toFixed(0)} % of one core; a peer pays ${PEER_MS} ms, ${(PEER_MS / each).toFixed(1)} times as much; a P-256 verification took ${watched.primitiveMs.toFixed(3)} ms beside it, ${(each / watched.primitiveMs).toFixed(0)} of which are a poll`,
      `memory of the verifier: ${(rss / MIB).toFixed(0)} MiB, ${growth >= 0 ? 'growing' : 'falling'} by ${Math.abs(growth / MIB).toFixed(2)} MiB a minute in the second half; ${ms < LONG_ENOUGH_MS ? 'too short to judge' : isFlat ? 'flat' : 'not flat'}`,
    ],
  }
}
