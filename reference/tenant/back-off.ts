import type { TenantConfig } from '../config.ts'

/** Milliseconds to wait before each further attempt, by upstream's settings. */
export function backOff({
  max_retries,
  retry_interval,
  exponential_backoff,
}: Pick<
  TenantConfig,
  'max_retries' | 'retry_interval' | 'exponential_backoff'
>): readonly number[] {
  return Array.from({ length: max_retries }, (_, attempt) => {
    return retry_interval * (exponential_backoff ? 2 ** attempt : 1) * 1000
  })
}
