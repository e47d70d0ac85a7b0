import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../../bytes/hex.ts'
import { type HashAlgorithm, hashes } from '../../../tpm/algorithms.ts'
import { generatedBoots, measurements } from '../../testing/generated-boots.ts'
import { type WrittenEvent, writtenLog } from '../../testing/written-log.ts'
import { parseBootLog } from './parse-log.ts'
import { replayBank } from './replay.ts'

const BANKS = [hashes.sha1, hashes.sha256, hashes.sha384] as const
const RUNS = { numRuns: 25 }

/** `sha256 7` -> value, of every PCR that is extended. */
function replayed(bytes: Uint8Array): ReadonlyMap<string, string> {
  const log = parseBootLog(bytes)
  const values = BANKS.flatMap((bank) =>
    [...replayBank(log, bank, 0)].map(
      ([pcr, value]) => [`${bank.name} ${pcr}`, toHex(value)] as const,
    ),
  )
  return new Map(values)
}

function replayOf(events: readonly WrittenEvent[]): ReadonlyMap<string, string> {
  return replayed(writtenLog(events, BANKS))
}

/** PCRs whose values differ. */
function changed(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  return [...one.keys()].filter((pcr) => one.get(pcr) !== other.get(pcr))
}

function folded(events: readonly WrittenEvent[], { name, size }: HashAlgorithm) {
  const values = new Map<string, Uint8Array>()
  for (const { pcr, type, data, measured = data } of events) {
    if (type === 'EV_NO_ACTION') continue
    const before = values.get(`${name} ${pcr}`) ?? new Uint8Array(size)
    const digest = createHash(name).update(measured).digest()
    values.set(`${name} ${pcr}`, createHash(name).update(before).update(digest).digest())
  }
  return [...values].map(([pcr, value]) => [pcr, toHex(value)] as const)
}

test('each PCR is the hash of its last digest behind the hash of the one before it', () => {
  fc.assert(
    fc.property(generatedBoots, (events) => {
      expect(replayOf(events)).toEqual(new Map(BANKS.flatMap((bank) => folded(events, bank))))
    }),
    RUNS,
  )
})

test('the order in which an event has its digests is nothing to the replay', () => {
  fc.assert(
    fc.property(generatedBoots, (events) => {
      const turned = writtenLog(events, BANKS.toReversed())
      expect(changed(replayOf(events), replayed(turned))).toEqual([])
    }),
    RUNS,
  )
})

test('the replay does not depend on event data, as long as the digests stay', () => {
  fc.assert(
    fc.property(generatedBoots, fc.uint8Array({ maxLength: 40 }), (events, data) => {
      const other = events.map((event) => ({ measured: event.data, ...event, data }))
      expect(changed(replayOf(events), replayOf(other))).toEqual([])
    }),
    RUNS,
  )
})

const cut = fc.tuple(generatedBoots, measurements, fc.nat())

test('a measurement more changes its PCR in each bank, and no other', () => {
  fc.assert(
    fc.property(cut, ([events, more, place]) => {
      const longer = events.toSpliced(place % (events.length + 1), 0, more)
      const differ = changed(replayOf(longer), replayOf(events))
      expect(differ).toEqual(BANKS.map(({ name }) => `${name} ${more.pcr}`))
    }),
    RUNS,
  )
})

test('swapping two neighbours changes a PCR only if they differ and extend the same PCR', () => {
  fc.assert(
    fc.property(generatedBoots, measurements, measurements, (events, one, other) => {
      const [straight, turned] = [
        replayOf([...events, one, other]),
        replayOf([...events, other, one]),
      ]
      const same = toHex(one.measured ?? one.data) === toHex(other.measured ?? other.data)
      const differ =
        one.pcr === other.pcr && !same ? BANKS.map(({ name }) => `${name} ${one.pcr}`) : []
      expect(changed(straight, turned)).toEqual(differ)
    }),
    RUNS,
  )
})

test('one bit of a digest changes one PCR of one bank', () => {
  fc.assert(
    fc.property(
      generatedBoots,
      measurements,
      fc.nat(hashes.sha256.size * 8 - 1),
      (events, last, bit) => {
        const log = writtenLog([...events, { ...last, data: new Uint8Array() }], [hashes.sha256])
        const flipped = new Uint8Array(log)
        const at = log.length - 4 - hashes.sha256.size + (bit >> 3)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit & 7))
        const replay = (bytes: Uint8Array) =>
          new Map(
            [...replayBank(parseBootLog(bytes), hashes.sha256, 0)].map(([pcr, value]) => [
              `${pcr}`,
              toHex(value),
            ]),
          )
        expect(changed(replay(log), replay(flipped))).toEqual([`${last.pcr}`])
      },
    ),
    RUNS,
  )
})
