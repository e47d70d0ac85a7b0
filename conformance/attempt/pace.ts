import { setTimeout as pause } from 'node:timers/promises'

/** Returns a function that delays requests to at most `requestsPerSecond`; 0 means no cap. */
export function paceOf(
  requestsPerSecond: number,
  now: () => number,
  wait: (ms: number) => Promise<unknown> = pause,
): () => Promise<void> {
  if (requestsPerSecond === 0) return () => Promise.resolve()
  const gap = 1000 / requestsPerSecond
  let next = 0
  return async () => {
    const slot = Math.max(now(), next)
    next = slot + gap
    if (slot > now()) await wait(slot - now())
  }
}
