import { ROUTES } from '../../../conformance/catalogue/routes/load-routes.ts'
import { applies, prefixesOf } from '../../../conformance/catalogue/routes/operations.ts'
import type { RouteRow } from '../../../conformance/catalogue/routes/route-row.ts'
import type { Dialect } from '../../../conformance/dialects/dialect.ts'
import type { Place } from './probe-route.ts'

/** Whether the document has a route under a version: yes, no, or ambiguous. */
type Standing = 'served' | 'absent' | 'either'

export interface RouteCell extends Place {
  /** `registrar 2.4 GET /agents/`, followed by the difference if it is a variant. */
  readonly name: string
  readonly standing: Standing
  /** Places that are equivalent under one reading: any of them may be served. */
  readonly alternatives: readonly Place[]
  /** The ambiguity, if there is one. */
  readonly ambiguity?: string
  /** Another spelling of a place that already has a cell. */
  readonly isVariant: boolean
}

/** The dialect's prefixes affect neither the number of cells nor their names. */
type Spelling = Pick<Dialect, 'verifier-prefix'>

export function standingOf(row: RouteRow, version: string): Standing {
  if (row.either !== undefined && applies(row.either, version)) return 'either'
  if (row.since === undefined) return 'absent'
  const { since, until } = row
  return applies(until === undefined ? { since } : { since, until }, version) ? 'served' : 'absent'
}

/**
 * Returns the cells of a row under a version: the route as the document prints it, with the trailing slash added or
 * removed, and under the other prefix of the version if it has two.
 */
export function cellsOf(row: RouteRow, version: string, dialect: Spelling): readonly RouteCell[] {
  if (row.unversioned) return rootCells(row, version)
  const { component, method, path } = row
  const [prefix = '', ...others] = prefixesOf(component, version, dialect)
  const standing = standingOf(row, version)
  const base = { method, standing }
  const name = `${component} ${version} ${method} ${path}`
  const place = (before: string, after = path) => ({ method, path: `${before}${after}` })
  const main: RouteCell = {
    ...base,
    name,
    ...place(prefix),
    alternatives: version === '2.0' ? others.map((other) => place(other)) : [],
    isVariant: false,
    ...ambiguityOf(row, standing),
  }
  const reading = (more: string, at: Place, ambiguity: string): RouteCell => ({
    ...base,
    ...at,
    name: `${name}, ${more}`,
    standing: standing === 'absent' ? 'absent' : 'either',
    alternatives: [],
    isVariant: true,
    ...(standing === 'absent' ? {} : { ambiguity }),
  })
  return [
    main,
    ...otherSlash(path).map(({ more, after }) => reading(more, place(prefix, after), 'SLASH')),
    ...others.map((other) =>
      reading('the other prefix', place(other), AMBIGUOUS_PREFIXES[version] ?? 'V3'),
    ),
  ]
}

const AMBIGUOUS_PREFIXES: Readonly<Record<string, string>> = {
  '1.0': 'V10',
  '2.0': 'V20',
  '3.0': 'V3',
}

function ambiguityOf({ either }: RouteRow, standing: Standing) {
  return standing === 'either' && either !== undefined ? { ambiguity: either.ambiguity } : {}
}

/** The root of a version ends in a slash that no server can drop: `/v3.0` is a different path. */
function otherSlash(path: string): readonly { readonly more: string; readonly after: string }[] {
  return path.endsWith('/')
    ? [{ more: 'no slash at its end', after: path.slice(0, -1) }]
    : [{ more: 'a slash at its end', after: `${path}/` }]
}

/** A path without a version exists if the version under test has it; for earlier versions the document is silent. */
function rootCells(row: RouteRow, version: string): readonly RouteCell[] {
  const standing = standingOf(row, version)
  if (standing === 'absent') return []
  const { component, method, path } = row
  const name = `${component} ${method} ${path}`
  const ambiguity = ambiguityOf(row, standing)
  return [{ name, method, path, standing, alternatives: [], isVariant: false, ...ambiguity }]
}

/** Resource routes that a component certainly has, in this version and the last ones. */
export function knownPlaces(
  component: RouteRow['component'],
  version: string,
  dialect: Spelling,
): readonly Place[] {
  return [version, '2.5', '3.0'].flatMap((one) => {
    const [prefix = ''] = prefixesOf(component, one, dialect)
    return ROUTES.filter((row) => row.component === component && isSafe(row))
      .filter((row) => standingOf(row, one) === 'served')
      .map(({ method, path }) => ({ method, path: `${prefix}${path}` }))
  })
}

function isSafe({ method, path }: RouteRow): boolean {
  return (method === 'GET' || method === 'DELETE') && path.includes('{')
}
