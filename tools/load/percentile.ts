/** Percentile by the nearest-rank method; NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}

/** Latencies of one client, in milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
}

export function latencyOf(milliseconds: readonly number[]): Latency {
  return { p50: percentile(milliseconds, 50), p95: percentile(milliseconds, 95) }
}
