import type { Field } from '../inspection.ts'
import { numberLe } from '../show.ts'

export const SLOTS = 16
export const VALUES = 8

/** A field of the PCR values, with the effect of the preceding counts. */
export interface SlotField {
  readonly field: Field
  readonly kind: 'selection' | 'size' | 'buffer' | 'other'
  /** False in a slot that no count covers. */
  readonly used: boolean
  /** For a buffer: length of the value in bytes. */
  readonly size: number
}

/** Value of a little-endian number field. */
export function numberOf({ raw }: Pick<Field, 'raw'>): number {
  return Number(numberLe(Uint8Array.from(Buffer.from(raw, 'hex'))))
}

function kindOf(path: string): SlotField['kind'] {
  if (path.startsWith('selections')) return 'selection'
  if (path.endsWith('.size')) return 'size'
  return path.endsWith('.buffer') ? 'buffer' : 'other'
}

/** Slot number of a path: its last index. */
function slotOf(path: string): number {
  return Number(/.*\[(\d+)\]/.exec(path)?.[1] ?? 0)
}

/** Applies the counts and sizes to the fields that follow them. */
export function readSlots(fields: readonly Field[]): readonly SlotField[] {
  let covered = 0
  let size = 0
  return fields.map((field) => {
    const kind = kindOf(field.path)
    if (field.path === 'count' || field.path.endsWith('.count')) covered = numberOf(field)
    if (kind === 'size') size = numberOf(field)
    return { field, kind, used: kind === 'other' || slotOf(field.path) < covered, size }
  })
}
