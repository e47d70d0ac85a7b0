import type { Parts } from '../../../compose/parts.ts'

/** A reference that is wrong in one place: a list minus one check, or one swapped function. */
export interface Mutant {
  readonly id: string
  /** Its defect, in one clause. */
  readonly defect: string
  readonly parts: Partial<Parts>
}

/** A list of checks, and where the reference has it. */
interface CheckList<Check extends { readonly id: string }> {
  readonly checks: readonly Check[]
  /** The defect without a check, in one clause. */
  defectWithout(check: Check): string
  /** The parts with this list in place of the shipped one. */
  partsWith(checks: readonly Check[]): Partial<Parts>
}

/** One mutant for each check of a list: the list minus that check, called `<check>-not-checked`. */
export function eachMinusOne<Check extends { readonly id: string }>(
  list: CheckList<Check>,
): readonly Mutant[] {
  return list.checks.map((missing) => ({
    id: `${missing.id}-not-checked`,
    defect: list.defectWithout(missing),
    parts: list.partsWith(list.checks.filter((check) => check !== missing)),
  }))
}
