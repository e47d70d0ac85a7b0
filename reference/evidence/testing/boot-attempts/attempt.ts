import type { Edit } from '../forged-boot.ts'

/** One way to let another boot pass for a known one; it differs from the boot that passes in one place. */
export interface Attempt {
  readonly kind: string
  readonly what: string
  /** The check that has to find something. */
  readonly check: string
  readonly edit: Edit
}

type Rows = readonly (readonly [what: string, edit: Edit])[]

export function attempts(kind: string, check: string, rows: Rows): readonly Attempt[] {
  return rows.map(([what, edit]) => ({ kind, what, check, edit }))
}
