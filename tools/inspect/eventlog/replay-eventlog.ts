import { type Bank, bankOf, digest, HASHES } from '../../../simulator/tpm/hash.ts'
import { cat, equal, filled, toHex } from '../../../simulator/tpm/write.ts'
import { localityOf } from '../../../simulator/uefi/event-data.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import type { LocatedEvent } from '../../../simulator/uefi/read-log.ts'
import type { Comparison, LogPcr } from '../inspection.ts'
import type { PublishedPcrs } from '../quote/pcr-file.ts'

const HARDWARE_LOCALITY = 4

/** The locality that the TPM was started from: as the log tells, 4 behind a hardware root of trust, else 0. */
export function startupLocality(events: readonly LocatedEvent[]): number {
  const told = events.flatMap(({ type, data }) =>
    type === EV.NO_ACTION ? (localityOf(data) ?? []) : [],
  )
  const first = events.find(({ pcr, type }) => pcr === 0 && type !== EV.NO_ACTION)
  return told[0] ?? (first?.type === EV.EFI_HCRTM_EVENT ? HARDWARE_LOCALITY : 0)
}

function startOf(bank: Bank, pcr: number, locality: number): Uint8Array {
  const zeros = filled(HASHES[bank].size)
  return pcr === 0 ? zeros.with(-1, locality) : zeros
}

/** Every PCR that a log extends, in every bank that it has digests of; one bank after the other. */
export function replayEventlog(
  events: readonly LocatedEvent[],
  published: PublishedPcrs | undefined,
): readonly LogPcr[] {
  const locality = startupLocality(events)
  const banks = new Map<Bank, Map<number, Uint8Array>>()
  for (const { pcr, type, digests } of events) {
    if (type === EV.NO_ACTION) continue
    for (const { alg, value } of digests) {
      const bank = bankOf(alg)
      if (bank === undefined || value.length !== HASHES[bank].size) continue
      const values = banks.get(bank) ?? new Map<number, Uint8Array>()
      const before = values.get(pcr) ?? startOf(bank, pcr, locality)
      banks.set(bank, values.set(pcr, digest(bank, cat(before, value))))
    }
  }
  return [...banks].flatMap(([bank, values]) =>
    [...values]
      .toSorted(([one], [other]) => one - other)
      .map(([pcr, value]) => ({
        bank,
        pcr,
        value: toHex(value),
        fits: fits(published?.get(bank)?.get(pcr), value),
      })),
  )
}

function fits(published: Uint8Array | undefined, value: Uint8Array): boolean | null {
  return published === undefined ? null : equal(published, value)
}

function listed(rows: readonly LogPcr[]): string {
  return rows.map(({ pcr }) => pcr).join(', ')
}

/** Holds the replayed PCRs against published ones, bank by bank; PCRs that the log does not extend are left out. */
export function compareLogPcrs(
  replay: readonly LogPcr[],
  published: PublishedPcrs | undefined,
): readonly Comparison[] {
  if (published === undefined) {
    const says = 'not compared: no PCR values were given (--pcrs FILE)'
    return [{ id: 'boot-pcrs', holds: null, says }]
  }
  return [...published.keys()].map((bank) => {
    const id = `boot-pcrs-${bank}`
    const rows = replay.filter((row) => row.bank === bank && row.fits !== null)
    const wrong = rows.filter((row) => row.fits === false)
    if (rows.length === 0) {
      return {
        id,
        holds: false,
        says: `no PCR of ${bank} can be compared: the log has no digests of that bank, or extends none of the PCRs that were given`,
      }
    }
    return wrong.length === 0
      ? {
          id,
          holds: true,
          says: `PCR ${listed(rows)} of ${bank} ${rows.length === 1 ? 'is' : 'are'} what the log replays to`,
        }
      : {
          id,
          holds: false,
          says: `PCR ${listed(wrong)} of ${bank} ${wrong.length === 1 ? 'is' : 'are'} NOT what the log replays to; ${rows.length - wrong.length} others are`,
        }
  })
}
