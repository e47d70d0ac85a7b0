/**
 * The versions of the interface, oldest first (interface document, "Versioning"). 2.6 is upstream's: the
 * document does not know it, and it is served only where the setting names it.
 */
export const API_VERSIONS = ['1.0', '2.0', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '3.0'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]

/** The default of the setting `api_versions`: every version of the document. */
export const DOCUMENTED_VERSIONS: readonly ApiVersion[] = API_VERSIONS.filter(
  (version) => version !== '2.6',
)

export interface VersionRange {
  readonly since: ApiVersion
  /** Last version that has it; absent when it is still there. */
  readonly until?: ApiVersion
}

/** A range without a beginning begins with the first version, one without an end is open. */
export function isWithin(version: ApiVersion, range: Partial<VersionRange>): boolean {
  const at = API_VERSIONS.indexOf(version)
  const last = range.until === undefined ? API_VERSIONS.length : API_VERSIONS.indexOf(range.until)
  return at >= API_VERSIONS.indexOf(range.since ?? '1.0') && at <= last
}

/** Path prefixes of a version: a `.0` also answers to its bare major number (ambiguities V20 and V3). */
export function prefixesOf(version: ApiVersion): readonly string[] {
  const [major, minor] = version.split('.')
  return minor === '0' ? [`/v${version}`, `/v${major}`] : [`/v${version}`]
}

/** The newest 2.x is `current_version`, as 3.0 only adds the push endpoints; without a 2.x it is the newest of all. */
export function currentOf(served: readonly ApiVersion[]): ApiVersion | undefined {
  return served.findLast((version) => version.startsWith('2.')) ?? served.at(-1)
}

/** Reads a list like `2.0, 2.5` into the order of the versions; undefined when a word of it is no version. */
export function parseVersions(text: string): readonly ApiVersion[] | undefined {
  const words = text.split(',').map((word) => word.trim())
  const named = API_VERSIONS.filter((version) => words.includes(version))
  return words.every((word) => named.some((version) => version === word)) ? named : undefined
}
