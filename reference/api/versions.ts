/** The versions of the interface, oldest first (interface document, "Versioning"). */
export const API_VERSIONS = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '3.0'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]

/** What this reference answers today; what is listed by `GET /version` is what is served. */
export const SERVED_VERSIONS = ['2.5', '3.0'] as const satisfies readonly ApiVersion[]

/** The newest 2.x is `current_version`: 3.0 only adds the push endpoints. */
export const CURRENT_VERSION: ApiVersion = '2.5'

export interface VersionRange {
  readonly since: ApiVersion
  /** Last version that has it; absent when it is still there. */
  readonly until?: ApiVersion
}

export function isWithin(version: ApiVersion, range: VersionRange): boolean {
  const at = API_VERSIONS.indexOf(version)
  const last = range.until === undefined ? API_VERSIONS.length : API_VERSIONS.indexOf(range.until)
  return at >= API_VERSIONS.indexOf(range.since) && at <= last
}

/** Path prefixes of a version: a `.0` also answers to its bare major number (`/v3` is `/v3.0`). */
export function prefixesOf(version: ApiVersion): readonly string[] {
  const [major, minor] = version.split('.')
  return minor === '0' ? [`/v${version}`, `/v${major}`] : [`/v${version}`]
}
