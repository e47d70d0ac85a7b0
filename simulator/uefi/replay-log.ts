import { type Bank, digest, HASHES } from '../tpm/hash.ts'
import { cat, filled } from '../tpm/write.ts'
import { extendedDigests, type UefiEvent } from './log.ts'

/** Returns the initial value of a PCR: PCR 0 has the startup locality of the TPM in its last byte. */
function startValue(bank: Bank, pcr: number, locality: number): Uint8Array {
  const value = filled(HASHES[bank].size)
  return pcr === 0 ? value.with(-1, locality) : value
}

/** Returns PCR values after these events in one bank; a PCR without events is zeros (PCR 0: the locality). */
export function replayEvents(
  events: readonly UefiEvent[],
  bank: Bank,
  pcrs: readonly number[],
  locality = 0,
): ReadonlyMap<number, Uint8Array> {
  const values = new Map(pcrs.map((pcr) => [pcr, startValue(bank, pcr, locality)] as const))
  for (const event of events) {
    const extended = extendedDigests(event)[bank]
    const value = values.get(event.pcr)
    if (extended && value) values.set(event.pcr, digest(bank, cat(value, extended)))
  }
  return values
}
