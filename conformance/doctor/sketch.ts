import type { Ask } from '../preflight/ask.ts'
import type { DialectProbe } from '../preflight/examination.ts'
import {
  advertisedVersions,
  hasPushRoutes,
  KNOWN_VERSIONS,
  lacksPushRoutes,
  servesVersion,
} from '../preflight/versions.ts'
import type { ServiceRole } from '../target/target.ts'

/** What could be learned of a deployment from outside. */
export interface Sketch {
  /** What both roles advertise or serve, of what Assay knows; never empty. */
  readonly versions: readonly string[]
  /** How `versions` came about, in words. */
  readonly versionsSeen: string
  /** Whether the verifier has push endpoints; undefined when its answer says neither. */
  readonly push?: boolean
  readonly dialect: string
}

type Urls = Readonly<Partial<Record<ServiceRole, string>>>

/** The versions of one role: as advertised, otherwise those that it clearly serves. */
async function versionsOf(ask: Ask, role: ServiceRole, url: string): Promise<readonly string[]> {
  const advertised = await advertisedVersions(ask, url)
  const known = advertised && KNOWN_VERSIONS.filter((version) => advertised.includes(version))
  if (known !== undefined && known.length > 0) return known
  const served = await Promise.all(
    KNOWN_VERSIONS.map(async (version) => await servesVersion(ask, role, url, version)),
  )
  return KNOWN_VERSIONS.filter((_, index) => served[index])
}

function entriesOf(urls: Urls): readonly (readonly [ServiceRole, string])[] {
  return Object.entries(urls) as [ServiceRole, string][]
}

async function sketchVersions(ask: Ask, urls: Urls): Promise<Omit<Sketch, 'dialect'>> {
  const seen = await Promise.all(
    entriesOf(urls).map(async ([role, url]) => [role, await versionsOf(ask, role, url)] as const),
  )
  const common = KNOWN_VERSIONS.filter((version) =>
    seen.every(([, versions]) => versions.includes(version)),
  )
  const words = seen.map(([role, versions]) => `${role} ${versions.join(' ') || 'says nothing'}`)
  const versionsSeen = `seen: ${words.join('; ')}`
  return common.length > 0
    ? { versions: common, versionsSeen }
    : { versions: ['2.5'], versionsSeen: `${versionsSeen}; 2.5 is a guess` }
}

async function sketchPush(ask: Ask, url: string | undefined): Promise<Pick<Sketch, 'push'>> {
  if (url === undefined) return {}
  if (await hasPushRoutes(ask, url)) return { push: true }
  return (await lacksPushRoutes(ask, url)) ? { push: false } : {}
}

/** The first dialect that a probe suggests; otherwise the document's own. */
async function sketchDialect(
  ask: Ask,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<string> {
  for (const { look } of probes) {
    const { suggests } = await look(ask, urls)
    if (suggests !== undefined) return suggests
  }
  return 'document'
}

/** Looks at a deployment by questions that change nothing. */
export async function sketchDeployment(
  ask: Ask,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<Sketch> {
  return {
    ...(await sketchVersions(ask, urls)),
    ...(await sketchPush(ask, urls.verifier)),
    dialect: await sketchDialect(ask, urls, probes),
  }
}
