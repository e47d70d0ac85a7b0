import { setTimeout as pause } from 'node:timers/promises'
import type { Playground } from '../playground.ts'
import type { View } from './line-view.ts'

const EVERY_MS = 500

/** Reads and shows the status of all machines periodically until it is stopped. */
export async function watch(
  playground: Playground,
  view: View,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const shown = await playground.look()
    if (!stopped.aborted) view.show(shown)
    await pause(EVERY_MS, undefined, { signal: stopped }).catch(() => undefined)
  }
}
