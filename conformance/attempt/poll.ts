import { setTimeout as pause } from 'node:timers/promises'

export interface PollLimits {
  /** Milliseconds until giving up. */
  readonly withinMs: number
  /** Milliseconds between two looks. */
  readonly everyMs?: number
}

/** Looks at `condition` until it holds; false when the deadline came first. It is looked at once more at the deadline. */
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
