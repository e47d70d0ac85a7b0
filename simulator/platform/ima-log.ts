import type { FaultSet } from '../faults/fault.ts'
import { writeAsciiList } from '../ima/ascii.ts'
import { type ImaEntry, writeImaList } from '../ima/list.ts'

/** The running kernel's measurement list. */
export interface ImaLog {
  /** The truth, whatever faults the machine has. Grows with every measurement, and begins anew at a reboot. */
  readonly entries: readonly ImaEntry[]
  /** How many entries the machine hands out. */
  readonly count: number
  /** The list as the kernel prints it, from entry `from` (0 unless told): bytes, as names need not be UTF-8. */
  ascii(from?: number): Uint8Array
  /** The list in the kernel's binary form, from entry `from`. */
  binary(from?: number): Uint8Array
}

/** Shows a list that others write to, through the faults of its machine. */
export function imaLog(entries: readonly ImaEntry[], faults: FaultSet): ImaLog {
  const handed = (from: number) => faults.bend('ima', entries.slice(from))
  return {
    entries,
    get count() {
      return handed(0).length
    },
    ascii: (from = 0) => faults.bend('ima-ascii', writeAsciiList(handed(from))),
    binary: (from = 0) => faults.bend('ima-binary', writeImaList(handed(from))),
  }
}
