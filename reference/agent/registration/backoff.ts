/** How often, and after which pauses, something is tried again. Times in milliseconds. */
interface Backoff {
  readonly initialDelay: number
  readonly maxRetries: number
  readonly maxDelay: number
}

/** A transient failure: the other side could not be reached, or is busy. */
export class Passing extends Error {}

/** The pauses between the tries, each twice as long as the one before, up to the longest. */
export function pausesOf({ initialDelay, maxRetries, maxDelay }: Backoff): readonly number[] {
  return Array.from({ length: maxRetries }, (_, tries) =>
    Math.min(initialDelay * 2 ** tries, maxDelay),
  )
}

export interface Retrying {
  readonly backoff: Backoff
  wait(ms: number): Promise<unknown>
  /** Called before each pause. */
  onPause(why: string, ms: number): void
}

/** Tries again after every {@link Passing}, until no pause is left; any other error ends it. */
export async function withBackoff<T>(retrying: Retrying, attempt: () => Promise<T>): Promise<T> {
  for (const pause of pausesOf(retrying.backoff)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Passing)) throw error
      retrying.onPause(error.message, pause)
      await retrying.wait(pause)
    }
  }
  return attempt()
}
