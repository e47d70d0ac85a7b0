import { writeAsciiList } from '../ima/ascii.ts'
import { type ImaEntry, writeImaList } from '../ima/list.ts'
import type { OutputMutator } from './outputs.ts'

/** The running kernel's measurement list. */
export interface ImaLog {
  /** The real list, without the faults of the machine. Grows with every measurement, and starts again at a reboot. */
  readonly entries: readonly ImaEntry[]
  /** Number of entries that the machine reports. */
  readonly count: number
  /** The list as the kernel prints it, from entry `from` (default 0). Bytes, since names need not be UTF-8. */
  ascii(from?: number): Uint8Array
  /** The list in the kernel's binary form, from entry `from`. */
  binary(from?: number): Uint8Array
}

/** Presents a growing list, subject to the faults of its machine. */
export function imaLog(entries: readonly ImaEntry[], faults: OutputMutator): ImaLog {
  const handed = (from: number) => faults.mutate('ima', entries.slice(from))
  return {
    entries,
    get count() {
      return handed(0).length
    },
    ascii: (from = 0) => faults.mutate('ima-ascii', writeAsciiList(handed(from))),
    binary: (from = 0) => faults.mutate('ima-binary', writeImaList(handed(from))),
  }
}
