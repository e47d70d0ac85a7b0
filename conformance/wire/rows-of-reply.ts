import { applies } from '../client/operations.ts'
import type { CatalogueRow, FieldRow, ReplyName } from '../spec/requirement.ts'

/** The field rows of a reply, under a version or under any. */
export function rowsOfReply(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version?: string,
): readonly (CatalogueRow & { readonly field: FieldRow })[] {
  return rows.filter(
    (row): row is CatalogueRow & { field: FieldRow } =>
      row.field?.reply === reply && (version === undefined || applies(row, version)),
  )
}
