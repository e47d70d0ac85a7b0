import { type ImaEntry, isViolation } from '../../simulator/ima/list.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import { BANKS, type Bank, digest, HASHES } from '../../simulator/tpm/hash.ts'
import { cat, equal, filled, toHex } from '../../simulator/tpm/write.ts'
import type { ReplayRow } from './inspection.ts'
import type { PublishedPcrs } from './quote/pcr-file.ts'

export const IMA_PCR = 10

interface Lane {
  readonly bank: Bank
  readonly rule: ReplayRow['rule']
  readonly published: Uint8Array | undefined
  value: Uint8Array | undefined
  fitsAfter: number | null
}

/** Replays PCR 10 while a list is read, in every bank and under both rules. */
interface Replay {
  /** `whole`: whether the template data is known and can be hashed. */
  add(entry: ImaEntry, whole: boolean): void
  rows(): readonly ReplayRow[]
}

function lanesFor(published: PublishedPcrs | undefined): readonly Lane[] {
  const lane = (bank: Bank, rule: ReplayRow['rule']): Lane => ({
    ...{ bank, rule, fitsAfter: null },
    value: filled(HASHES[bank].size),
    published: published?.get(bank)?.get(IMA_PCR),
  })
  // The SHA-1 bank is extended with the template hash, so both rules are the same.
  return BANKS.flatMap((bank) =>
    bank === 'sha1'
      ? [lane(bank, 'own-hash')]
      : [lane(bank, 'own-hash'), lane(bank, 'padded-sha1')],
  )
}

function rowOf({ bank, rule, value, published, fitsAfter }: Lane): ReplayRow {
  const fits = published === undefined ? null : value !== undefined && equal(value, published)
  return {
    bank,
    rule,
    value: value === undefined ? null : toHex(value),
    fits,
    fits_after: fitsAfter,
  }
}

/** Starts a replay that also searches for the published values of PCR 10 after each entry. */
export function startReplay(published?: PublishedPcrs): Replay {
  const lanes = lanesFor(published)
  let entries = 0
  const step = (lane: Lane, value: Uint8Array | undefined) => {
    lane.value = lane.value && value && digest(lane.bank, cat(lane.value, value))
    if (lane.value && lane.published && equal(lane.value, lane.published)) lane.fitsAfter = entries
  }
  return {
    add(entry, whole) {
      entries += 1
      if (entry.pcr !== IMA_PCR) return
      const padded = extendValues(entry, [])
      const own = whole || isViolation(entry) ? extendValues(entry, BANKS) : undefined
      for (const lane of lanes) {
        const listed = lane.bank === 'sha1' || lane.rule === 'padded-sha1'
        step(lane, listed ? padded[lane.bank] : own?.[lane.bank])
      }
    },
    rows: () => lanes.map(rowOf),
  }
}
