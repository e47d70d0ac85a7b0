import type { TenantConfig } from '../../config/config.ts'

/** Milliseconds; the maximum of `retry_interval`, and far below the limit of Node's timers. */
const NO_LONGER_THAN = 3_600_000

/** Milliseconds to wait before each further attempt, by upstream's settings; none is longer than an hour. */
export function backOff({
  max_retries,
  retry_interval,
  exponential_backoff,
}: Pick<
  TenantConfig,
  'max_retries' | 'retry_interval' | 'exponential_backoff'
>): readonly number[] {
  return Array.from({ length: max_retries }, (_, attempt) => {
    const wait = retry_interval * (exponential_backoff ? 2 ** attempt : 1) * 1000
    return Math.min(wait, NO_LONGER_THAN)
  })
}
