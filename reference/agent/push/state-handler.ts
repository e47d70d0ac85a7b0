import type { PushEnvironment } from './environment.ts'
import type { PushEvent } from './events.ts'
import type { PushMemory } from './memory.ts'

/** Does the work of one state and returns the event that it led to. */
export type StateHandler = (
  environment: PushEnvironment,
  memory: PushMemory,
  signal: AbortSignal,
) => Promise<PushEvent>
