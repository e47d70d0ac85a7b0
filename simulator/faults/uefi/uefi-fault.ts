import type { Bytes } from '../../platform/outputs.ts'
import { type EditEvents, editedBoot } from '../../platform/scripted-boot.ts'
import type { Fault } from '../fault.ts'

/** A false firmware log, or a boot that differs and is logged correctly. */
export interface UefiFault extends Fault {
  /** Changes what the firmware measures and logs. */
  readonly firmware?: EditEvents
}

interface Row {
  readonly slug: string
  readonly what: string
  readonly outcome: Fault['outcome']
}

/** A log that differs from what was measured. */
interface FalseLogRow extends Row {
  readonly log: Bytes
  readonly huge?: true
}

/** A boot that measured something else and logged it correctly. */
export interface ChangedBootRow extends Row {
  readonly firmware: EditEvents
}

const HEAD = 'uefi'

/** Faults of one case whose logs differ from what was measured. */
export function falseLogs(number: number, rows: readonly FalseLogRow[]): readonly UefiFault[] {
  return rows.map(({ slug, log, ...row }) => ({
    name: `${HEAD}-${slug}`,
    cases: [number],
    mutations: { uefi: log },
    ...row,
  }))
}

/** Faults of one case in which the firmware behaved differently; the machine reboots for it. */
export function changedBoots(
  number: number,
  rows: readonly ChangedBootRow[],
): readonly UefiFault[] {
  return rows.map(({ slug, firmware, ...row }) => ({
    name: `${HEAD}-${slug}`,
    cases: [number],
    mutations: {},
    firmware,
    happens: (machine) => machine.reboot((boot) => editedBoot(boot, firmware)),
    ...row,
  }))
}
