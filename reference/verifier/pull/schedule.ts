import type { Clock } from '../../platform/clock.ts'

/** Fires once after that many milliseconds; returns a function that cancels it. */
export type Alarm = (milliseconds: number, ring: () => void) => () => void

/** The timer of the machine; a process does not live for it. */
export const systemAlarm: Alarm = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** When each of many is due, by one timer for all of them. */
export interface Schedule {
  /** Sets the moment, in milliseconds of `Clock.awake`, and forgets an earlier one. */
  at(key: string, due: number): void
  cancel(key: string): void
  has(key: string): boolean
  /** Nothing is due any more. */
  close(): void
}

interface Entry {
  readonly key: string
  readonly due: number
}

/** The longest delay of a timer; entries due later are checked again then. */
const LONGEST = 2_147_483_647

/** Replaced and removed entries stay in the heap until they are due, or until there are this many. */
const STALE = 1024

export function schedule(
  clock: Pick<Clock, 'awake'>,
  ring: (key: string) => void,
  alarm = systemAlarm,
): Schedule {
  const entries = new Map<string, Entry>()
  let heap: Entry[] = []
  let silence: (() => void) | undefined
  let set = Number.POSITIVE_INFINITY

  const wind = (): void => {
    const due = heap[0]?.due ?? Number.POSITIVE_INFINITY
    if (due === set) return
    silence?.()
    silence = undefined
    set = due
    if (due === Number.POSITIVE_INFINITY) return
    silence = alarm(Math.min(Math.max(0, due - clock.awake()), LONGEST), strike)
  }

  const strike = (): void => {
    set = Number.POSITIVE_INFINITY
    const now = clock.awake()
    const due: Entry[] = []
    for (let first = heap[0]; first !== undefined && first.due <= now; first = heap[0]) {
      removeFirst(heap)
      if (entries.get(first.key) !== first) continue
      entries.delete(first.key)
      due.push(first)
    }
    wind()
    for (const { key } of due) ring(key)
  }

  return {
    at(key, due) {
      const entry = { key, due }
      entries.set(key, entry)
      insert(heap, entry)
      if (heap.length > 2 * entries.size + STALE)
        heap = [...entries.values()].sort((one, other) => one.due - other.due)
      wind()
    },
    cancel: (key) => void entries.delete(key),
    has: (key) => entries.has(key),
    close() {
      entries.clear()
      heap = []
      wind()
    },
  }
}

function insert(heap: Entry[], entry: Entry): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || above.due <= entry.due) break
    heap[at] = above
    at = parent
  }
  heap[at] = entry
}

function removeFirst(heap: Entry[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const least = leastChild(heap, at)
    const below = heap[least]
    if (below === undefined || below.due >= last.due) break
    heap[at] = below
    at = least
  }
  heap[at] = last
}

function leastChild(heap: readonly Entry[], at: number): number {
  const left = 2 * at + 1
  const [one, other] = [heap[left], heap[left + 1]]
  return one !== undefined && other !== undefined && other.due < one.due ? left + 1 : left
}
