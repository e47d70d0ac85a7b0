import type { RouteRow } from '../../../conformance/catalogue/routes/route-row.ts'
import type { RouteCell } from './route-cells.ts'

/** Requirement of a variant of a place that may be served. */
const SLASH = { registrar: 'REG-SLASH', verifier: 'VRS-SLASH-VERIFIER' } as const
const PREFIX: Readonly<Record<string, Readonly<Record<RouteRow['component'], string>>>> = {
  V3: { registrar: 'REG-V3-SHORT-PREFIX', verifier: 'VRS-V3-BOTH-VERIFIER' },
  V20: { registrar: 'VRS-PATH-20', verifier: 'VRS-PATH-20' },
  V10: { registrar: 'VRS-PATH-10', verifier: 'VRS-PATH-10' },
}

/** Every requirement that a cell of a row may have. */
export function requirementsOf({ component, says, absent = [], unversioned }: RouteRow) {
  const variants = [SLASH[component], ...Object.values(PREFIX).map((one) => one[component])]
  return [...says, ...absent, ...(unversioned ? [] : variants)]
}

/**
 * Returns the requirement of a cell.
 *
 * @param isAbout whether a requirement applies to the version
 * @throws {Error} if the row names none for it; a test finds this fault of the table first
 */
export function requirementOf(
  row: RouteRow,
  { name, standing, ambiguity, isVariant }: RouteCell,
  isAbout: (id: string) => boolean,
): string {
  if (isVariant && ambiguity !== undefined) {
    return ambiguity === 'SLASH' ? SLASH[row.component] : (PREFIX[ambiguity]?.[row.component] ?? '')
  }
  const named = (standing === 'absent' ? row.absent : row.says)?.find(isAbout)
  if (named === undefined) throw new Error(`no requirement for the cell ${name}`)
  return named
}
