import type { PushEvent } from './events.ts'
import type { PushMemory } from './memory.ts'
import type { PushWorld } from './world.ts'

/** What a push agent does in a state; what comes of it is what happened. */
export type Act = (world: PushWorld, memory: PushMemory, signal: AbortSignal) => Promise<PushEvent>
