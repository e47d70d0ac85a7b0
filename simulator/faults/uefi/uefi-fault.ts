import type { Bytes } from '../../platform/outputs.ts'
import { type EditEvents, editedBoot } from '../../platform/scripted-boot.ts'
import type { Fault } from '../fault.ts'

/** A lie about the firmware log, or a firmware that measured something else and says so. */
export interface UefiFault extends Fault {
  /** What the firmware measured in place of what it should, and wrote down. */
  readonly firmware?: EditEvents
}

interface Row {
  readonly slug: string
  readonly what: string
  readonly outcome: Fault['outcome']
}

/** The log is handed out otherwise than it was measured. */
export interface LieRow extends Row {
  readonly log: Bytes
  readonly huge?: true
}

/** Something else was measured, and the log tells the truth about it. */
export interface DeedRow extends Row {
  readonly firmware: EditEvents
}

const HEAD = 'uefi'

/** Faults of one case whose logs are not what was measured. */
export function lies(number: number, rows: readonly LieRow[]): readonly UefiFault[] {
  return rows.map(({ slug, log, ...row }) => ({
    name: `${HEAD}-${slug}`,
    cases: [number],
    mutations: { uefi: log },
    ...row,
  }))
}

/** Faults of one case in which the firmware really did otherwise; the machine boots once more for it. */
export function operations(number: number, rows: readonly DeedRow[]): readonly UefiFault[] {
  return rows.map(({ slug, firmware, ...row }) => ({
    name: `${HEAD}-${slug}`,
    cases: [number],
    mutations: {},
    firmware,
    happens: (machine) => machine.reboot((boot) => editedBoot(boot, firmware)),
    ...row,
  }))
}
