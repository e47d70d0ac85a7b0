import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { bodyParser } from '../../api/bodies/parse-body.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { isPlainName } from '../../bytes/plain-name.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { ZipEntry } from '../../bytes/zip.ts'
import { ApiError, StartFault } from '../../errors.ts'
import { type AddRequest, checkPayloadSize, readAddRequest } from '../add/add-request.ts'
import { packageNames, packageOf } from '../add/payload/certificate-package.ts'
import { parseSealedPayload } from '../add/payload/sealed-payload.ts'
import type { Tenant } from '../tenant.ts'

const TEXT = Type.Optional(Type.String())
const TEXTS = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))

const MEMBERS = {
  ip: Type.String(),
  ...{ keyfile_data: TEXT, keyfile_name: TEXT, file_data: TEXT, file_name: TEXT },
  ...{ ca_dir: TEXT, ca_dir_pw: TEXT, include_dir_data: TEXTS, include_dir_name: TEXTS },
}

const AddBody = Type.Object(MEMBERS)
export type AddBody = Static<typeof AddBody>
type Member = keyof typeof MEMBERS

const parseShape = bodyParser(AddBody, 'malformed_request')

const HOST = /^[\w.:-]{1,255}$/

/** The member that each member depends on. */
const BELONGS: readonly (readonly [Member, Member])[] = [
  ['keyfile_name', 'keyfile_data'],
  ['file_name', 'file_data'],
  ['ca_dir_pw', 'ca_dir'],
  ['include_dir_data', 'ca_dir'],
  ['include_dir_name', 'include_dir_data'],
]

/** The body of POST agents/{agent_id} without members that are empty; files are in base64. @throws {ApiError} */
export function parseAddBody(body: unknown): AddBody {
  const shape = parseShape(body)
  const unknown = Object.keys(shape).find((name) => !Object.hasOwn(MEMBERS, name))
  if (unknown !== undefined) throw wrong(unknown, 'is no member of this request')
  if (!HOST.test(shape.ip)) throw wrong('ip', 'must be an IP address or the name of a host')
  const given = Object.fromEntries(
    Object.entries(shape).filter(([, value]) => value.length > 0),
  ) as AddBody
  const alone = BELONGS.find(([name, needs]) => given[name] !== undefined && !given[needs])
  if (alone !== undefined) throw wrong(alone[0], `is given without ${alone[1]}`)
  const other = (['file_data', 'keyfile_data'] as const).find((name) => given[name] !== undefined)
  if (given.ca_dir !== undefined && other !== undefined)
    throw wrong('ca_dir', `is given with ${other}, and an agent gets one payload`)
  return given
}

/** @throws {ApiError} of a member, or {@link StartFault} of a key file or of a CA */
export async function addRequestOf(
  agentId: string,
  body: AddBody,
  tenant: Tenant,
): Promise<AddRequest> {
  const plain = await readAddRequest(
    { uuid: agentId, targethost: body.ip, verify: true, verifierCheck: true, set: [] },
    tenant,
  )
  const request = { ...plain, ...(await payloadOf(agentId, body, tenant)) }
  checkPayloadSize(request, tenant.config)
  return request
}

async function payloadOf(
  agentId: string,
  body: AddBody,
  tenant: Tenant,
): Promise<Partial<AddRequest>> {
  const { ca_dir: name, keyfile_data, file_data } = body
  if (name !== undefined) return certificatePackage(agentId, body, name, tenant)
  const file = file_data === undefined ? undefined : bytesIn('file_data', file_data)
  if (keyfile_data === undefined) return { payload: file }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').trim()
  return {
    sealed: parseSealedPayload(
      { name: 'keyfile_data', text: text(bytesIn('keyfile_data', keyfile_data)) },
      file && { name: 'file_data', text: text(file) },
    ),
  }
}

/** A message names the directory as the request does. */
async function certificatePackage(
  agentId: string,
  body: AddBody,
  name: string,
  tenant: Tenant,
): Promise<Partial<AddRequest>> {
  const directory = join(caDirectoryOf(tenant), plainNameIn('ca_dir', name))
  const { ca_dir_pw: passphrase } = body
  const request = { directory, included: includedIn(agentId, body) }
  try {
    return await packageOf({ ...request, ...(passphrase && { passphrase }) }, agentId, tenant)
  } catch (error) {
    if (!(error instanceof StartFault)) throw error
    throw new StartFault(error.sentence.replaceAll(directory, name), error.next, error)
  }
}

function caDirectoryOf({ config: { web_ca_dir, state_dir } }: Tenant): string {
  return web_ca_dir === 'default' ? join(state_dir, 'web-ca') : web_ca_dir
}

const listOf = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat()

function includedIn(agentId: string, body: AddBody): readonly ZipEntry[] {
  const data = listOf(body.include_dir_data)
  const names = listOf(body.include_dir_name)
  if (names.length !== data.length)
    throw wrong('include_dir_name', `has ${names.length} names for ${data.length} files`)
  const taken = new Set<string>(Object.values(packageNames(agentId)))
  return data.map((content, at) => {
    const name = plainNameIn('include_dir_name', names[at] ?? '')
    if (taken.has(name)) throw wrong('include_dir_name', `${name} is in the package already`)
    taken.add(name)
    return { name, content: bytesIn('include_dir_data', content) }
  })
}

/** A name without a folder. */
function plainNameIn(member: Member, name: string): string {
  if (isPlainName(name) && !name.includes('/') && !name.startsWith('.')) return name
  throw wrong(member, 'is no file name of letters, digits, blanks and . _ - + @ = ,')
}

function bytesIn(member: Member, text: string): Uint8Array {
  try {
    return fromBase64(text, member)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw wrong(member, `is no base64: ${error.problem}, at character ${error.offset}`)
  }
}

function wrong(member: string, problem: string): ApiError {
  return new ApiError('malformed_request', `/${member}: ${problem}`, { pointer: `/${member}` })
}
