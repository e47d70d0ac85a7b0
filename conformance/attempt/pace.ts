import { setTimeout as pause } from 'node:timers/promises'

/** Lets requests out no faster than the target file allows; 0 means no cap. */
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
