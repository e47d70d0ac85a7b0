import { type BootRun, quotedOf, STATES } from '../boot-logs.ts'
import {
  type ModelEvent,
  type ModelLog,
  readModelLog,
  SHA256,
  sha,
  writeModelLog,
} from '../models/boot-events.ts'
import type { Random } from '../random.ts'
import { mutateBytes, spliceBytes, swellBytes } from './bytes.ts'

const TYPES = [
  ...[0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 0x11, 0x8401, 0xffffffff],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 0xe0].map((low) => 0x80000000 + low),
]
const PCRS = [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 14, 15, 23, 24, 0xffffffff]
const POLICIES = ['example', 'example', 'accept-all', 'reject-all']

/** One to three changes of a log, of its events or of what it has to replay to. */
export function mutateBootRun(run: BootRun, other: BootRun, random: Random): BootRun {
  let changed = run
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left--)
    changed = step(changed, other, random)
  return random.once(8192) ? { ...changed, log: swellBytes(changed.log, random) } : changed
}

function step(run: BootRun, other: BootRun, random: Random): BootRun {
  const way = random.below(16)
  if (way < 10) return changeEvents(run, other, random)
  if (way < 13) return { ...run, log: mutateBytes(run.log, random) }
  if (way < 14) return { ...run, log: spliceBytes(run.log, other.log, random) }
  return changeAround(run, other, random)
}

function changeAround(run: BootRun, other: BootRun, random: Random): BootRun {
  switch (random.below(4)) {
    case 0:
      return { ...run, quoted: other.quoted }
    case 1:
      return { ...run, state: random.below(STATES.length + 1) - 1 }
    case 2:
      return { ...run, policy: random.pick(POLICIES) }
    default: {
      const [pcr = '0'] = [random.pick(Object.keys(run.quoted))]
      const { [pcr]: _, ...quoted } = run.quoted
      return { ...run, quoted }
    }
  }
}

/** A change of the events; the values that were quoted follow them more often than not. */
function changeEvents(run: BootRun, other: BootRun, random: Random): BootRun {
  const log = readModelLog(run.log)
  if (!log || log.events.length === 0) return { ...run, log: other.log }
  const changed = { ...log, events: changedEvents(log, other, random) }
  const bytes = writeModelLog(changed)
  return { ...run, log: bytes, ...(random.below(8) > 0 && { quoted: quotedOf(changed) }) }
}

function changedEvents(
  { events }: ModelLog,
  other: BootRun,
  random: Random,
): readonly ModelEvent[] {
  const at = random.below(events.length)
  const event = events[at]
  if (!event) return events
  switch (random.below(8)) {
    case 0:
      return events.toSpliced(at, 1)
    case 1:
      return events.toSpliced(random.below(events.length), 0, event)
    case 2: {
      const foreign = random.pick(readModelLog(other.log)?.events ?? [event])
      return events.toSpliced(at, random.below(2), foreign)
    }
    case 3:
      return events.with(at, { ...event, type: random.pick(TYPES) })
    case 4:
      return events.with(at, { ...event, pcr: random.pick(PCRS) })
    case 5:
      return events.with(at, { ...event, digests: turned(event, random) })
    default:
      return events.with(at, withData(event, mutateBytes(event.data, random), random))
  }
}

function turned({ digests }: ModelEvent, random: Random): ModelEvent['digests'] {
  if (random.once(3)) return digests.toReversed()
  if (random.once(3)) return digests.slice(1)
  return digests.map(([alg, value]) => [alg, mutated(value, random)] as const)
}

/** A digest keeps its size, as the log would not be read any further. */
function mutated(value: Uint8Array, random: Random): Uint8Array {
  const copy = new Uint8Array(value)
  copy[random.below(copy.length)] = random.below(256)
  return copy
}

/** Other data, with the digest of it more often than not. */
function withData(event: ModelEvent, data: Uint8Array, random: Random): ModelEvent {
  if (random.once(3)) return { ...event, data }
  const digests = event.digests.map(
    ([alg, value]) => [alg, alg === SHA256 ? sha(data) : value] as const,
  )
  return { ...event, data, digests }
}
