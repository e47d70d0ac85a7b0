import { crc32 } from 'node:zlib'
import { deferred } from '../../../conformance/attempt/deferred.ts'
import type { Reply } from '../../../conformance/attempt/reply.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import { makeBootstrapKeys, sealPayload } from '../../../conformance/peers/bootstrap-keys.ts'
import type { TenantWeb } from '../../../conformance/peers/tenant-web.ts'
import type { TenantStage } from '../../../conformance/peers/tenants.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { USUAL_FORMS } from '../../../simulator/agents/key-forms.ts'
import { openBytes, tenantKeys, tenantOperations } from './tenant-operations.ts'

/** Members of the body that adds an agent. */
type Members = Readonly<Record<string, string | readonly string[]>>

export const IP = '127.0.0.1'
export const PAYLOAD = 'a payload of the harness\n'

const inBase64 = (text: string) => base64(Buffer.from(text))

/** Adds the agent of the stage, and returns what has reached its peers. */
export async function addByWeb(web: TenantWeb, stage: TenantStage, members: Members) {
  await web.ask('POST', `/agents/${stage.agentId}`, { ip: IP, ...members })
  const { added, ukey } = tenantOperations(stage)
  const { u, k, tagFits } = tenantKeys(stage, added.at(-1) ?? {})
  return {
    added: added.length,
    ip: added[0]?.['cloudagent_ip'],
    ...{ u, k, tagFits },
    payload: openBytes(k, ukey['payload']),
  }
}

/**
 * Adds an agent with files in base64, and if that adds none, another one with files as they are: the document does not
 * show their encoding.
 */
export async function addWithFiles(
  { tenants }: Pick<Context, 'tenants'>,
  membersWith: (encode: (text: string) => string) => Members,
) {
  const add = async (encode: (text: string) => string) => {
    const stage = await tenants.stage()
    return addByWeb(await stage.web(), stage, membersWith(encode))
  }
  const first = await add(inBase64)
  return first.added > 0 ? first : add((text) => text)
}

/** A key file as Keylime writes one, K, V and U in base64, with a payload under K. */
export function keyFile() {
  const keys = makeBootstrapKeys({ keyForms: USUAL_FORMS })
  const lines = [keys.k, keys.v, keys.u].map(base64)
  return {
    u: keys.u,
    text: `${lines.join('\n')}\n`,
    sealed: sealPayload(keys, Buffer.from(PAYLOAD)),
  }
}

/** Whether a zip archive has an entry with this name, in any folder, and this content: of that entry, or of any if none has the name. */
export function archived(payload: Buffer | undefined, name: string, content: string) {
  const isArchive = payload?.toString('latin1', 0, 2) === 'PK'
  const entries = isArchive ? [...sumsIn(payload)] : []
  const sums = entries.flatMap(([path, sum]) => (path.split('/').at(-1) === name ? [sum] : []))
  const hasName = sums.length > 0
  const ofContent = hasName ? sums : entries.map(([, sum]) => sum)
  return { isArchive, hasName, hasContent: ofContent.includes(crc32(content)) }
}

/** CRC-32 of each entry of a zip archive by its name, as its central directory has them (APPNOTE.TXT, 4.3.12). */
function sumsIn(archive: Buffer): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (let at = archive.indexOf(ENTRY); at >= 0; at = archive.indexOf(ENTRY, at + 1)) {
    if (at + ENTRY_BYTES > archive.length) break
    const end = at + ENTRY_BYTES + archive.readUInt16LE(at + 28)
    sums.set(archive.toString('utf8', at + ENTRY_BYTES, end), archive.readUInt32LE(at + 16))
  }
  return sums
}

const ENTRY = Buffer.from('PK\x01\x02', 'latin1')
const ENTRY_BYTES = 46

/** Requests of a web application to its servers for an agent. */
export function askedFor({ requests, agentId }: TenantStage): number {
  return requests.filter(({ peer, request: { url } }) => peer !== 'agent' && url.includes(agentId))
    .length
}

/** Much less than the time for which applications wait for their servers. */
const HELD_MS = 2000

/**
 * Requests the list of agents, and before the servers answer for it, the record of one, for which they cut the
 * connections. Returns the list; undefined if the application had not answered for the record in time, as one that
 * processes its requests in turn.
 */
export async function listDuringFailure(
  web: TenantWeb,
  stage: TenantStage,
  { until }: Pick<Context, 'until'>,
): Promise<Reply | undefined> {
  const read = () => web.ask('GET', `/agents/${stage.agentId}`)
  const list = () => web.ask('GET', '/agents/')
  const [forRecord, forList] = [await requestsFor(stage, read), await requestsFor(stage, list)]
  const released = deferred<undefined>()
  let [isHeld, isOver] = [false, false]
  stage.intercept((...request) => {
    const [isOfRecord, isOfList] = [forRecord, forList].map((all) => all.has(nameOf(...request)))
    if (isOfRecord === isOfList) return undefined
    if (isOfRecord) return 'reset'
    isHeld = true
    return released.promise
  })
  const listed = list()
  await until(() => isHeld, { withinMs: HELD_MS })
  const failed = read().finally(() => {
    isOver = true
  })
  const isDuring = (await until(() => isOver, { withinMs: HELD_MS })) && isHeld
  stage.intercept(undefined)
  released.resolve(undefined)
  const [reply] = await Promise.all([listed, failed])
  return isDuring ? reply : undefined
}

type OfPeer = TenantStage['requests'][number]

const nameOf = (peer: OfPeer['peer'], { method, url }: OfPeer['request']) =>
  `${peer} ${method} ${url}`

/** Names of the requests that peers have received during a request to the application. */
async function requestsFor(
  { requests }: TenantStage,
  ask: () => Promise<Reply>,
): Promise<ReadonlySet<string>> {
  const before = requests.length
  await ask()
  return new Set(requests.slice(before).map(({ peer, request }) => nameOf(peer, request)))
}

/** The first texts in a reply, in whatever members they are: types of logs, or lines of one. */
export function textsIn({ body }: Reply): readonly string[] {
  return firstTexts((body as { readonly results?: unknown } | undefined)?.results) ?? []
}

function firstTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.split('\n')
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value).reduce<readonly string[] | undefined>(
    (found, each) => found ?? firstTexts(each),
    undefined,
  )
}
