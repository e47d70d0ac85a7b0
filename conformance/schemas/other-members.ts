import type { CatalogueRow, ReplyName } from '../catalogue/requirement.ts'
import { memberPaths } from './field-cells.ts'

/** Members of a body, by their paths, that stand beside members of the table and that no version of it has. */
export function otherMembers(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  body: unknown,
): readonly string[] {
  const known = new Set(memberPaths(rows, reply).flatMap(withAncestors))
  return [...new Set(walk(body, '', known))]
}

/** `a.b[].c` is known, and so are `a.b[]`, `a.b` and `a`; which element a path picks does not matter. */
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
  // Where the table has no member of an object, its members are whatever they are.
  if (!members.some(({ at }) => known.has(at))) return []
  return members.flatMap(({ at, inner }) => (known.has(at) ? walk(inner, at, known) : [at]))
}
