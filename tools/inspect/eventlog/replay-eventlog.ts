import { type Bank, bankOf, digest, HASHES } from '../../../simulator/tpm/hash.ts'
import { cat, equal, filled, toHex } from '../../../simulator/tpm/write.ts'
import { localityOf } from '../../../simulator/uefi/event-data.ts'
import { EV } from '../../../simulator/uefi/event-types.ts'
import type { LocatedEvent } from '../../../simulator/uefi/read-log.ts'
import type { Comparison, LogPcr } from '../inspection.ts'
import type { PublishedPcrs } from '../quote/pcr-file.ts'

const HARDWARE_LOCALITY = 4

/** Startup locality of the TPM: as stated in the log, otherwise 4 after a hardware root of trust (H-CRTM), otherwise 0. */
export function startupLocality(events: readonly LocatedEvent[]): number {
  const stated = events.flatMap(({ type, data }) =>
    type === EV.NO_ACTION ? (localityOf(data) ?? []) : [],
  )
  const first = events.find(({ pcr, type }) => pcr === 0 && type !== EV.NO_ACTION)
  return stated[0] ?? (first?.type === EV.EFI_HCRTM_EVENT ? HARDWARE_LOCALITY : 0)
}

function startOf(bank: Bank, pcr: number, locality: number): Uint8Array {
  const zeros = filled(HASHES[bank].size)
  return pcr === 0 ? zeros.with(-1, locality) : zeros
}

/** Replayed values of every PCR in every bank of the log, bank by bank. */
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

/** Compares the replayed PCRs with published values, bank by bank; PCRs that the log does not extend are ignored. */
export function compareLogPcrs(
  replay: readonly LogPcr[],
  published: PublishedPcrs | undefined,
): readonly Comparison[] {
  if (published === undefined) {
    const says = 'not compared: no PCR values given (--pcrs FILE)'
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
        says: `no PCR of ${bank} can be compared: the log has no digests of this bank, or does not extend the given PCRs`,
      }
    }
    return wrong.length === 0
      ? {
          id,
          holds: true,
          says: `PCR ${listed(rows)} of ${bank} ${rows.length === 1 ? 'matches' : 'match'} the replayed log`,
        }
      : {
          id,
          holds: false,
          says: `PCR ${listed(wrong)} of ${bank} ${wrong.length === 1 ? 'does' : 'do'} NOT match the replayed log; ${rows.length - wrong.length} others match`,
        }
  })
}
