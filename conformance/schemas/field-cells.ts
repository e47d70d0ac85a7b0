import {
  type CatalogueRow,
  type FieldRow,
  type ReplyName,
  typesOf,
} from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'

type RowOfField = CatalogueRow & { readonly field: FieldRow }

/** Field rows by reply and version, cached because a loaded catalogue does not change. */
const known = new WeakMap<readonly CatalogueRow[], Map<string, readonly RowOfField[]>>()

/** The field rows of a reply, in one version or in all. */
function rowsOfReply(
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

/** The name of the matrix that these cells fill. */
export const FIELDS = 'fields'

/** The requirements on one member of a reply in one version. */
interface FieldCell {
  /** For example `registrar.read 2.4 results.aik_tpm`; rows about the same member share a name. */
  readonly name: string
  readonly requirement: string
  readonly field: FieldRow
}

/** The requirement for a member that only other versions have. */
export const MEMBER_RANGE = 'VRS-MEMBER-RANGE'

/**
 * All cells of a reply in a version: its field rows; if the document does not show the reply in this version,
 * the members of the shown version, each optional; and every member that only other versions have, absent or of a
 * type of theirs. Empty if the version has no such reply.
 */
export function fieldCells(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string,
): readonly FieldCell[] {
  const own = rowsOfReply(rows, reply, version).map(({ id, field }) => ({ id, field }))
  const like = likeOthers(rows, reply, version, new Set(own.flatMap(({ field }) => pathsOf(field))))
  const known = new Set([...own, ...like].flatMap(({ field }) => pathsOf(field)))
  if (known.size === 0) return []
  const absent = memberPaths(rows, reply)
    .filter((path) => !known.has(path))
    .map((path) => {
      const type = ['absent', ...typesElsewhere(rows, reply, path)].join('-or-')
      return { id: MEMBER_RANGE, field: { reply, path, type } }
    })
  return [...own, ...like, ...absent].map(({ id, field }) => ({
    name: `${reply} ${version} ${field.path}`,
    requirement: id,
    field,
  }))
}

interface CellRow {
  readonly id: string
  readonly field: FieldRow
}

/** One cell for each member of the shown version: any of its types, or absent. */
function likeOthers(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string,
  own: ReadonlySet<string>,
): readonly CellRow[] {
  const about = rows.find((row) => row.like?.replies.includes(reply) && applies(row, version))
  if (about === undefined) return []
  const fields = rowsOfReply(rows, reply, about.like?.version).map(({ field }) => field)
  const paths = [...new Set(fields.map(({ path }) => path))].filter((path) => !own.has(path))
  return paths.map((path) => {
    const types = fields.filter((field) => field.path === path).map(({ type }) => type)
    return { id: about.id, field: { reply, path, type: [...types, 'absent'].join('-or-') } }
  })
}

/** All paths of rows about a reply, in any version of the document. */
export function memberPaths(rows: readonly CatalogueRow[], reply: ReplyName): readonly string[] {
  return [...new Set(rowsOfReply(rows, reply).flatMap(({ field }) => pathsOf(field)))]
}

/** The types that a member has in the versions that have it. */
function typesElsewhere(rows: readonly CatalogueRow[], reply: ReplyName, path: string) {
  const types = rowsOfReply(rows, reply)
    .filter(({ field }) => pathsOf(field).includes(path))
    .flatMap(({ field }) => typesOf(field))
  return new Set(types.filter((type) => type !== 'absent'))
}

function pathsOf({ path, or }: FieldRow): readonly string[] {
  return or === undefined ? [path] : [path, or]
}
