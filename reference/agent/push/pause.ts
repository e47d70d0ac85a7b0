import type { Token } from './events.ts'
import type { StateHandler } from './state-handler.ts'

/** Waits for the pause that the last transition set. */
export const pause: StateHandler = async ({ clock }, memory, signal) => {
  await clock.wait(memory.pause, signal)
  return { kind: 'waited' }
}

/** The same, and looks whether the token serves on. */
export const pauseWithToken: StateHandler = async ({ clock }, memory, signal) => {
  await clock.wait(memory.pause, signal)
  return { kind: isDue(memory.token, clock.now()) ? 'token_due' : 'waited' }
}

function isDue(token: Token | undefined, now: number): boolean {
  return token === undefined || (token.renewAt !== undefined && now >= token.renewAt)
}
