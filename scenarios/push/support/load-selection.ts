import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'

export type SelectionTable = 'schemes' | 'hashes'

/** Three lists of names; `selection.yaml` states their owners. */
export interface SelectionRow {
  readonly id: string
  readonly accepted: readonly string[]
  readonly offered: readonly string[]
  readonly allowed: readonly string[]
  /** A member that the certification key leaves out. */
  readonly without?: string
}

/** Where the names of a table occur on the wire. */
interface SelectionMembers {
  readonly accepted: string
  readonly offered: string
  readonly allowed: string
  readonly chosen: string
  readonly says: string
  /** Names possible with the key of these agents; absent if any name is. */
  readonly possible?: readonly string[]
}

export const SELECTION_MEMBERS: Readonly<Record<SelectionTable, SelectionMembers>> = {
  schemes: {
    accepted: 'accept_tpm_signing_algs',
    offered: 'signature_schemes',
    allowed: 'allowable_signature_schemes',
    chosen: 'signature_scheme',
    says: 'ATT-SELECTION-SCHEME',
    possible: ['rsassa', 'rsapss'],
  },
  hashes: {
    accepted: 'accept_tpm_hash_algs',
    offered: 'hash_algorithms',
    allowed: 'allowable_hash_algorithms',
    chosen: 'hash_algorithm',
    says: 'ATT-SELECTION-HASH',
  },
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'selection.yaml')

export function loadSelection(): Readonly<Record<SelectionTable, readonly SelectionRow[]>> {
  return readYaml(FILE) as Readonly<Record<SelectionTable, readonly SelectionRow[]>>
}

/** Whether the key claims a name that is not possible with it; a verifier may choose another, or refuse the claim. */
export function claimsTooMuch(table: SelectionTable, { allowed }: SelectionRow): boolean {
  const { possible = allowed } = SELECTION_MEMBERS[table]
  return allowed.some((name) => !possible.includes(name))
}

/** Returns the names that may be chosen according to the document. */
export function choosable(
  table: SelectionTable,
  { accepted, offered, allowed }: SelectionRow,
): readonly string[] {
  const { possible = accepted } = SELECTION_MEMBERS[table]
  return accepted.filter((name) => [offered, allowed, possible].every((one) => one.includes(name)))
}
