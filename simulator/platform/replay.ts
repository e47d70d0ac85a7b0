import type { ImaEntry } from '../ima/list.ts'
import { extendValues } from '../ima/template.ts'
import { extendedDigests } from '../uefi/log.ts'
import type { RecordedBoot } from './recorded-boot.ts'
import { measuredEvents } from './scripted-boot.ts'
import type { Pcrs } from './soft-pcrs.ts'

/** Extends the PCR of an IMA entry in every bank, as the kernel does when it appends one. */
export function extendEntry(tpm: Pick<Pcrs, 'pcrExtend'>, entry: ImaEntry): Promise<void> {
  return tpm.pcrExtend(entry.pcr, extendValues(entry))
}

/** Replays the recorded boot into a started TPM: the firmware's events, then the kernel's. */
export async function replayBoot(tpm: Pick<Pcrs, 'pcrExtend'>, boot: RecordedBoot): Promise<void> {
  for (const event of measuredEvents(boot)) {
    const digests = extendedDigests(event)
    if (Object.keys(digests).length > 0) await tpm.pcrExtend(event.pcr, digests)
  }
  for (const entry of boot.ima) await extendEntry(tpm, entry)
}
