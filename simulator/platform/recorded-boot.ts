import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImaEntry, parseImaList } from '../ima/list.ts'
import type { UefiEvent } from '../uefi/log.ts'
import type { LogForm } from '../uefi/log-form.ts'

/** What one boot of a real kernel left behind: its two logs. */
export interface RecordedBoot {
  readonly uefi: Uint8Array
  readonly ima: readonly ImaEntry[]
  /** What its firmware measured and how it writes logs, where that was scripted; else its log tells. */
  readonly firmware?: ScriptedFirmware
}

export interface ScriptedFirmware extends LogForm {
  /** In every bank, whatever the log has. */
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
