import type { Clock } from '../platform/clock.ts'
import type { ListeningStore } from '../storage/listening-store.ts'

/**
 * Time in which the verifiers of a database could be reached, in milliseconds: it stands still while none of them runs or
 * none can write, and no set clock moves it. The silence of an agent and the claims of a process are measured by it.
 */
export interface ListeningTime {
  now(): number
  /** Stores the time, and catches up with the other verifiers of the database. */
  save(): Promise<void>
}

/** The time goes on where it ended; in a new database it begins with the date, so that it can be read as one. */
export async function listeningTime(store: ListeningStore, clock: Clock): Promise<ListeningTime> {
  let known = await store.advance((await store.find()) ?? clock.now())
  let since = clock.awake()
  const now = (): number => Math.floor(known + clock.awake() - since)
  return {
    now,
    async save() {
      const [reached, at] = [now(), clock.awake()]
      try {
        known = Math.max(reached, await store.advance(reached))
      } finally {
        // What could not be stored does not count: evidence could not be stored either.
        since = at
      }
    },
  }
}
