import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as systemPause } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'

/** Bytes up to which a body always has room: what an agent sends before it is known is smaller. */
const SMALL = 16 * 1024

/** How many times as long as the reading of a large body took the next one waits, for the sake of everyone else. */
const REST = 50

/** Seconds after which a refused client may ask again. */
const RETRY_AFTER = 5

/** The bodies of requests that need no credential: any number of clients may send them, and they share bounded room. */
export interface PublicBodies {
  /**
   * Makes room for the body of a request until its response is over.
   *
   * @param most bytes that its route takes, which a body without a length counts
   * @throws {ApiError} 503 if there is no room
   */
  admit(request: IncomingMessage, response: ServerResponse, most: number): void
  /** Whether a body takes long to parse. */
  isLarge(bytes: number): boolean
  /** Parses a body of so many bytes; a large one after the others. */
  parse<T>(bytes: number, parse: () => T): Promise<T>
}

interface Time {
  now(): number
  pause(milliseconds: number): Promise<unknown>
}

const SYSTEM: Time = { now: () => performance.now(), pause: (wait) => systemPause(wait) }

/** @param room bytes that may be in hand at a time */
export function publicBodies(room: number, { now, pause }: Time = SYSTEM): PublicBodies {
  let taken = 0
  let turn: Promise<unknown> = Promise.resolve()
  const timed = <T>(parse: () => T) => {
    const start = now()
    const rest = (): Promise<unknown> => pause(REST * (now() - start))
    try {
      return { value: parse(), rest: rest() }
    } catch (error) {
      return { error, rest: rest() }
    }
  }
  return {
    isLarge: (bytes) => bytes > SMALL,
    admit(request, response, most) {
      const bytes = bytesOf(request, most)
      // A body that is too large is refused without being read.
      if (bytes <= SMALL || bytes > most) return
      // One always has room, whatever the settings are.
      if (taken > 0 && taken + bytes > room) throw bodiesFull()
      taken += bytes
      response.once('close', () => {
        taken -= bytes
      })
    },
    async parse(bytes, parse) {
      if (bytes <= SMALL) return parse()
      const ours = turn.then(() => timed(parse))
      turn = ours.then(({ rest }) => rest)
      const done = await ours
      if ('error' in done) throw done.error
      return done.value
    },
  }
}

function bytesOf({ headers }: IncomingMessage, most: number): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most
}

function bodiesFull(): ApiError {
  return new ApiError('bodies_full', 'Too many large requests are in hand; ask again.', {
    retryAfter: RETRY_AFTER,
  })
}
