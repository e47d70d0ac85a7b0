import type { ImaEntry } from './ima/list.ts'
import { extendValues } from './ima/template.ts'
import type { RecordedBoot } from './recorded-boot.ts'
import type { Tpm } from './tpm/tpm.ts'
import { extendedDigests, parseUefiLog } from './uefi/log.ts'

/** Extends the PCR of an IMA entry in every bank, as the kernel does when it appends one. */
export function extendEntry(tpm: Tpm, entry: ImaEntry): Promise<void> {
  return tpm.pcrExtend(entry.pcr, extendValues(entry))
}

/** Puts the PCRs of a started TPM where the recorded boot left them: the firmware's events, then the kernel's. */
export async function replayBoot(tpm: Tpm, boot: RecordedBoot): Promise<void> {
  for (const event of parseUefiLog(boot.uefi).events) {
    const digests = extendedDigests(event)
    if (Object.keys(digests).length > 0) await tpm.pcrExtend(event.pcr, digests)
  }
  for (const entry of boot.ima) await extendEntry(tpm, entry)
}
