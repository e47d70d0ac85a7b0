import type { Route } from './routes/route.ts'
import { type ApiVersion, isWithin, prefixesOf } from './versions.ts'

/** One place of a row of the route table. */
export interface Mount {
  readonly prefix: string
  readonly version: ApiVersion | undefined
}

/**
 * Where a row of the route table is mounted: under every prefix of every served version in its range.
 * A row without a prefix is mounted at the root, if a served version has it.
 */
export function mountsOf(route: Route, served: readonly ApiVersion[]): readonly Mount[] {
  const versions = served.filter((version) => isWithin(version, route))
  if (route.unversioned === true) {
    return versions.length === 0 ? [] : [{ prefix: '', version: undefined }]
  }
  return versions.flatMap((version) => prefixesOf(version).map((prefix) => ({ prefix, version })))
}

/** The rows of a route table at all their places. */
export function mountRoutes<Row extends Route>(
  routes: readonly Row[],
  served: readonly ApiVersion[],
): readonly (Row & Mount)[] {
  return routes.flatMap((route) => mountsOf(route, served).map((mount) => ({ ...route, ...mount })))
}
