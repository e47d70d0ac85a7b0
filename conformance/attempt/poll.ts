import { setTimeout as pause } from 'node:timers/promises'

export interface PollLimits {
  /** Milliseconds until the deadline. */
  readonly withinMs: number
  /** Milliseconds between two polls. Default 20. */
  readonly everyMs?: number
}

/** Polls `condition` until it holds, and once more at the deadline. Returns the last result. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limits: PollLimits,
): Promise<boolean> {
  const deadline = performance.now() + limits.withinMs
  while (performance.now() < deadline) {
    if (await condition()) return true
    await pause(limits.everyMs ?? 20)
  }
  return condition()
}
