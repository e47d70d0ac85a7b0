import type { CatalogueRow, ReplyName } from '../catalogue/requirement.ts'
import { memberPaths } from './field-cells.ts'

/** Paths of members that no version has, in objects for which the table has members. */
export function otherMembers(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  body: unknown,
): readonly string[] {
  const known = new Set(memberPaths(rows, reply).flatMap(withAncestors))
  return [...new Set(walk(body, '', known))]
}

/** A path with its ancestors: `a.b[].c`, `a.b[]`, `a.b` and `a`. Element selectors are ignored. */
function withAncestors(path: string): readonly string[] {
  const steps = path.replaceAll(/\[[^\]]*\]/g, '[]').match(/[^.[]+|\[\]/g) ?? []
  return steps.map((_, at) => join(steps.slice(0, at + 1)))
}

function join(steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (step === '[]' || path === '' ? path + step : `${path}.${step}`),
    '',
  )
}

function walk(value: unknown, path: string, known: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => walk(inner, `${path}[]`, known))
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value).map(([name, inner]) => ({
    at: path === '' ? name : `${path}.${name}`,
    inner,
  }))
  // An object without rows may have any members.
  if (!members.some(({ at }) => known.has(at))) return []
  return members.flatMap(({ at, inner }) => (known.has(at) ? walk(inner, at, known) : [at]))
}
