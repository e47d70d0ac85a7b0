import type { CatalogueRow, FieldRow, ReplyName } from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'

type RowOfField = CatalogueRow & { readonly field: FieldRow }

/** Field rows by reply and version, cached because a loaded catalogue does not change. */
const known = new WeakMap<readonly CatalogueRow[], Map<string, readonly RowOfField[]>>()

/** The field rows of a reply, in one version or in all. */
export function rowsOfReply(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version?: string,
): readonly RowOfField[] {
  const ofCatalogue = known.get(rows) ?? new Map<string, readonly RowOfField[]>()
  known.set(rows, ofCatalogue)
  const key = `${reply} ${version ?? ''}`
  const found = ofCatalogue.get(key) ?? find(rows, reply, version)
  ofCatalogue.set(key, found)
  return found
}

function find(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string | undefined,
): readonly RowOfField[] {
  return rows.filter(
    (row): row is RowOfField =>
      row.field?.reply === reply && (version === undefined || applies(row, version)),
  )
}
