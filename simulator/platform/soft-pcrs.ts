import { BANKS, type Bank, digest, HASHES } from '../tpm/hash.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { cat, filled } from '../tpm/write.ts'

/** The PCR commands of a TPM with which a boot is replayed and read. */
export type Pcrs = Pick<Tpm, 'pcrExtend' | 'pcrReset' | 'pcrRead'>

/** PCRs without a TPM, which are cheap to create and can be copied from a machine that has booted. */
export interface SoftPcrs extends Pcrs {
  /** Returns an independent copy. */
  copy(): SoftPcrs
  /** Replaces these values by those of other PCRs. */
  become(other: SoftPcrs): void
  readonly values: ReadonlyMap<string, Uint8Array>
}

/** PCRs reserved for a dynamic launch: all ones until there is one (PC Client Platform TPM Profile, 4.6). */
const LAUNCHED: readonly number[] = [17, 18, 19, 20, 21, 22]

function keyOf(bank: Bank, pcr: number): string {
  return `${bank} ${pcr}`
}

function initial(bank: Bank, pcr: number): Uint8Array {
  return filled(HASHES[bank].size, LAUNCHED.includes(pcr) ? 0xff : 0)
}

/** Returns PCRs after a power-on, or with the given values. */
export function softPcrs(given: ReadonlyMap<string, Uint8Array> = new Map()): SoftPcrs {
  const values = new Map(given)
  const read = (bank: Bank, pcr: number) => values.get(keyOf(bank, pcr)) ?? initial(bank, pcr)
  return {
    values,
    copy: () => softPcrs(values),
    become(other) {
      const taken = [...other.values]
      values.clear()
      for (const [key, value] of taken) values.set(key, value)
    },
    async pcrExtend(pcr, digests) {
      for (const bank of BANKS) {
        const extended = digests[bank]
        if (extended === undefined) continue
        values.set(keyOf(bank, pcr), digest(bank, cat(read(bank, pcr), extended)))
      }
    },
    async pcrReset(pcr) {
      for (const bank of BANKS) values.set(keyOf(bank, pcr), filled(HASHES[bank].size))
    },
    async pcrRead(bank, pcrs) {
      const ascending = [...new Set(pcrs)].toSorted((a, b) => a - b)
      return new Map(ascending.map((pcr) => [pcr, read(bank, pcr)]))
    },
  }
}
