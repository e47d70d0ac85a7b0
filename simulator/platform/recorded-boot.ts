import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImaEntry, parseImaList } from '../ima/list.ts'
import type { UefiEvent } from '../uefi/log.ts'
import type { LogForm } from '../uefi/log-form.ts'

/** The two logs of one boot of a real kernel. */
export interface RecordedBoot {
  readonly uefi: Uint8Array
  readonly ima: readonly ImaEntry[]
  /** What its firmware measured and its log format, if that was scripted; otherwise the log has both. */
  readonly firmware?: ScriptedFirmware
}

export interface ScriptedFirmware extends LogForm {
  /** Measured in every bank, even those missing from the log. */
  readonly measured: readonly UefiEvent[]
}

async function bytesOf(directory: string, name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(directory, name)))
}

/** Loads `binary_bios_measurements` and `binary_before_tools` of a recorded boot. */
export async function loadRecordedBoot(directory: string): Promise<RecordedBoot> {
  const [uefi, ima] = await Promise.all([
    bytesOf(directory, 'binary_bios_measurements'),
    bytesOf(directory, 'binary_before_tools'),
  ])
  return { uefi, ima: parseImaList(ima) }
}

/** Loads `pcrs_before_tools.txt`: hexadecimal PCR values in lower case under keys like `sha256 10`. */
export async function loadRecordedPcrs(directory: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(join(directory, 'pcrs_before_tools.txt'), 'utf8'))
    .trim()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const [bank = '', pcr = '', value = ''] = line.split(' ')
      return [`${bank} ${pcr}`, value.toLowerCase()]
    }),
  )
}
