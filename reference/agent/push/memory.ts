import type { PushEnvironment } from './environment.ts'
import type { Challenge, PushEvent, Token } from './events.ts'
import type { PushEffect } from './states.ts'

/** What a push agent remembers in addition to its state. It does not outlive the process: a restart opens a new session. */
export interface PushMemory {
  readonly token: Token | undefined
  readonly challenge: Challenge | undefined
  /** Failures in a row. */
  readonly failures: number
  /** Milliseconds that the next wait takes. */
  readonly pause: number
}

export const BLANK: PushMemory = { token: undefined, challenge: undefined, failures: 0, pause: 0 }

type Effect = (
  memory: PushMemory,
  event: PushEvent,
  environment: Pick<PushEnvironment, 'pauses' | 'random' | 'rules'>,
) => PushMemory

export type PushEffects = Readonly<Record<PushEffect, Effect>>

export const pushEffects: PushEffects = {
  keep_token: (memory, event) =>
    event.kind === 'granted' ? { ...memory, token: event.token } : memory,
  drop_token: (memory) => ({ ...memory, token: undefined }),
  keep_challenge: (memory, event) =>
    event.kind === 'challenged' ? { ...memory, challenge: event.challenge } : memory,
  drop_challenge: (memory) => ({ ...memory, challenge: undefined }),
  forget_failures: (memory) => ({ ...memory, failures: 0 }),
  back_off(memory, event, { pauses, random, rules }) {
    const failures = memory.failures + 1
    const retryAfter = 'why' in event ? event.retryAfter : undefined
    return { ...memory, failures, pause: rules.failurePause(pauses, failures, retryAfter, random) }
  },
  rest: (memory, event, { pauses, rules }) => ({
    ...memory,
    pause: rules.nextInterval(pauses, event.kind === 'accepted' ? event.seconds : undefined),
  }),
}
