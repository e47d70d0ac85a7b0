import type { Route } from './routes/route.ts'
import { type ApiVersion, isWithin, prefixesOf, SERVED_VERSIONS } from './versions.ts'

/** One place of a row of the route table. */
export interface Mount {
  readonly prefix: string
  readonly version: ApiVersion | undefined
}

/** Where a row of the route table is mounted: under every prefix of every served version in its range. */
export function mountsOf(route: Route): readonly Mount[] {
  if (route.unversioned === true) return [{ prefix: '', version: undefined }]
  const { since = '1.0', until } = route
  const range = until === undefined ? { since } : { since, until }
  return SERVED_VERSIONS.filter((version) => isWithin(version, range)).flatMap((version) =>
    prefixesOf(version).map((prefix) => ({ prefix, version })),
  )
}
