import type { PollCounts } from './poll-gaps.ts'
import type { PollsOptions } from './polls-options.ts'

/** Measurements of a verifier that polls. */
export interface Measured extends PollCounts {
  readonly ms: number
  /** CPU time of the verifier in that period. */
  readonly cpuMs: number
  /** CPU time of one P-256 verification in the same run. */
  readonly primitiveMs: number
  /** Resident memory at the end, in bytes. */
  readonly rss: number
  /** Growth in bytes per minute, in the second half. */
  readonly growth: number
  readonly intervalMs: number
}

/** CPU time that another verifier needs for a poll of such an agent. */
const PEER_MS = 15
/** Growth below this fraction per minute counts as flat. */
const FLAT = 0.05
/** In a shorter measurement, garbage collection dominates the growth. */
const LONG_ENOUGH_MS = 30_000

const MIB = 1024 * 1024

interface PollsVerdict {
  readonly lines: readonly string[]
  readonly isGood: boolean
}

/** The measurements as lines of text, and whether they meet the limits. */
export function presentPolls(
  measured: Measured & { readonly passed: number },
  { agents }: Pick<PollsOptions, 'agents'>,
): PollsVerdict {
  const { polls, ms, gap, missed, fewest, cpuMs, passed, rss, growth } = measured
  const each = cpuMs / polls
  const isFlat = ms < LONG_ENOUGH_MS || growth <= FLAT * rss
  const share = (100 * cpuMs) / ms
  return {
    isGood: missed === 0 && passed === agents && isFlat,
    lines: [
      `${polls} polls of ${agents} agents in ${(ms / 1000).toFixed(1)} s, ${((1000 * polls) / ms).toFixed(1)} per second; every agent at least ${fewest} times`,
      `time between two polls of an agent: p50 ${gap.p50} ms, p95 ${gap.p95} ms, at most ${gap.most} ms; ${missed} intervals of ${measured.intervalMs} ms missed`,
      `${passed} of ${agents} agents pass`,
      `CPU time of the verifier: ${each.toFixed(2)} ms per poll, ${share.toFixed(0)} % of one core; another verifier needs ${PEER_MS} ms, ${(PEER_MS / each).toFixed(1)} times as much; a P-256 verification takes ${measured.primitiveMs.toFixed(3)} ms in this run, a poll costs ${(each / measured.primitiveMs).toFixed(0)} of them`,
      `memory of the verifier: ${(rss / MIB).toFixed(0)} MiB, ${growth >= 0 ? 'growing' : 'falling'} by ${Math.abs(growth / MIB).toFixed(2)} MiB per minute in the second half; ${ms < LONG_ENOUGH_MS ? 'measured too briefly for a verdict' : isFlat ? 'flat' : 'not flat'}`,
    ],
  }
}
