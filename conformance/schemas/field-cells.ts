import {
  API_VERSIONS,
  type CatalogueRow,
  type FieldRow,
  type ReplyName,
} from '../catalogue/requirement.ts'
import { applies } from '../catalogue/routes/operations.ts'
import { rowsOfReply } from './rows-of-reply.ts'

/** The name of the matrix that these cells fill. */
export const FIELDS = 'fields'

/** What one member of a reply is held to under one version, and in whose name. */
export interface FieldCell {
  /** `registrar.read 2.4 results.aik_tpm`; several rows about one member share a name. */
  readonly name: string
  readonly requirement: string
  readonly field: FieldRow
}

/** The requirement of a member that other versions have, and this one has not. */
export const MEMBER_RANGE = 'VRS-MEMBER-RANGE'

/**
 * Everything that the table says of a reply under a version: the rows about it; where the document does
 * not show this version's reply, the members of the one that it shows, or none of them; and of every
 * member that only other versions have, that it is not there. Nothing where the version has no such reply.
 */
export function fieldCells(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string,
): readonly FieldCell[] {
  const said = rowsOfReply(rows, reply, version).map(({ id, field }) => ({ id, field }))
  const like = likeOthers(
    rows,
    reply,
    version,
    new Set(said.flatMap(({ field }) => pathsOf(field))),
  )
  const known = new Set([...said, ...like].flatMap(({ field }) => pathsOf(field)))
  if (known.size === 0) return []
  const absent = memberPaths(rows, reply)
    .filter((path) => !known.has(path))
    .map((path) => ({ id: MEMBER_RANGE, field: { reply, path, type: 'absent' } }))
  return [...said, ...like, ...absent].map(({ id, field }) => ({
    name: `${reply} ${version} ${field.path}`,
    requirement: id,
    field,
  }))
}

interface Said {
  readonly id: string
  readonly field: FieldRow
}

/** One cell for each member of the version that is shown, of any of its types, or not there. */
function likeOthers(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string,
  said: ReadonlySet<string>,
): readonly Said[] {
  const about = rows.find((row) => row.like?.replies.includes(reply) && applies(row, version))
  if (about === undefined) return []
  const fields = rowsOfReply(rows, reply, about.like?.version).map(({ field }) => field)
  const paths = [...new Set(fields.map(({ path }) => path))].filter((path) => !said.has(path))
  return paths.map((path) => {
    const types = fields.filter((field) => field.path === path).map(({ type }) => type)
    return { id: about.id, field: { reply, path, type: [...types, 'absent'].join('-or-') } }
  })
}

/** Every path that a row about a reply has under any version of the document. */
export function memberPaths(rows: readonly CatalogueRow[], reply: ReplyName): readonly string[] {
  const all = API_VERSIONS.flatMap((version) => rowsOfReply(rows, reply, version))
  return [...new Set(all.flatMap(({ field }) => pathsOf(field)))]
}

function pathsOf({ path, or }: FieldRow): readonly string[] {
  return or === undefined ? [path] : [path, or]
}
