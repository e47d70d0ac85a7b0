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

/** What `assay init` finds out about a deployment by requests. */
export interface Draft {
  /** The known versions that both roles advertise or serve; never empty. */
  readonly versions: readonly string[]
  /** How `versions` was determined, for a comment in the file. */
  readonly versionsNote: string
  /** Whether the verifier has push endpoints; undefined if its answer is inconclusive. */
  readonly push?: boolean
  readonly dialect: string
  /** Capabilities that enrolled agents have shown, and those that they have shown to be absent. */
  readonly capabilities?: ReadonlyMap<string, boolean>
}

type Urls = Readonly<Partial<Record<ServiceRole, string>>>

/** The versions of one role: the advertised ones, otherwise those that it serves. */
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

async function draftVersions(ask: Ask, urls: Urls): Promise<Omit<Draft, 'dialect'>> {
  const found = await Promise.all(
    entriesOf(urls).map(async ([role, url]) => [role, await versionsOf(ask, role, url)] as const),
  )
  const common = KNOWN_VERSIONS.filter((version) =>
    found.every(([, versions]) => versions.includes(version)),
  )
  const words = found.map(([role, versions]) => `${role} ${versions.join(' ') || 'no list'}`)
  const versionsNote = `found: ${words.join('; ')}`
  return common.length > 0
    ? { versions: common, versionsNote }
    : { versions: ['2.5'], versionsNote: `${versionsNote}; 2.5 is a guess` }
}

async function draftPush(ask: Ask, url: string | undefined): Promise<Pick<Draft, 'push'>> {
  if (url === undefined) return {}
  if (await hasPushRoutes(ask, url)) return { push: true }
  return (await lacksPushRoutes(ask, url)) ? { push: false } : {}
}

/** The first dialect that a probe suggests; otherwise `document`. */
async function draftDialect(
  ask: Ask,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<string> {
  for (const { run } of probes) {
    const { suggests } = await run(ask, urls)
    if (suggests !== undefined) return suggests
  }
  return 'document'
}

/** Probes a deployment with requests that change nothing. */
export async function draftTarget(
  ask: Ask,
  urls: Urls,
  probes: readonly DialectProbe[],
): Promise<Draft> {
  return {
    ...(await draftVersions(ask, urls)),
    ...(await draftPush(ask, urls.verifier)),
    dialect: await draftDialect(ask, urls, probes),
  }
}
