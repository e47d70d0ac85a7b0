import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { API_VERSIONS, type ApiVersion, prefixesOf } from '../api/versions.ts'
import { fromBase64 } from '../bytes/base64.ts'
import { WireError } from '../bytes/wire-error.ts'
import { ApiError, agentNotRegistered, type ErrorCode } from '../errors.ts'
import { type JsonReply, NoAnswer } from './json-client.ts'

/** What a verifier needs of a registration: the key in API 2.0, the count of an agent that was silent. */
export interface Registration {
  /** base64 of a TPM2B_PUBLIC */
  readonly aik_tpm: string
  /** PEM */
  readonly mtls_cert: string | null
  readonly regcount: number
}

/**
 * Asks the registrar for an agent.
 *
 * @throws {ApiError} 404 when it has no such agent, 502 when its answer cannot be used, 503 without an answer
 */
export type LookUpRegistration = (agentId: string) => Promise<Registration>

const VersionReply = Compile(
  Type.Object({ results: Type.Object({ supported_versions: Type.Array(Type.String()) }) }),
)
const AgentReply = Compile(
  Type.Object({
    results: Type.Object({
      aik_tpm: Type.String({ minLength: 1, maxLength: 8192 }),
      regcount: Type.Optional(Type.Integer()),
      mtls_cert: Type.Optional(Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()])),
    }),
  }),
)

type Answer = Pick<JsonReply, 'status' | 'body'>

interface Registrar {
  get(path: string): Promise<Answer>
}

/** The version of a registrar without `/version`, which came with 2.3. */
const WITHOUT_VERSION: ApiVersion = '2.0'

/** Up to API 2.0 the registrar is where a verifier has attestation keys from (interface document, "Changelog"). */
export function registrationLookup(client: Registrar): LookUpRegistration {
  return async (agentId) => {
    const version = await negotiate(client)
    const reply = await ask(
      client,
      `${prefixesOf(version)[0]}/agents/${encodeURIComponent(agentId)}`,
    )
    if (reply.status === 404) throw agentNotRegistered(agentId)
    if (reply.status !== 200 || !AgentReply.Check(reply.body)) throw unusable(reply)
    const { aik_tpm, mtls_cert = null, regcount = 0 } = reply.body.results
    return { aik_tpm, mtls_cert, regcount }
  }
}

/**
 * Asks the provider's registrar for the attestation key of the host that an agent runs on; undefined where it has no
 * active one (docs/deep-quotes.md).
 *
 * @throws {ApiError} 502 when its answer cannot be used, 503 without an answer
 */
export type LookUpHost = (agentId: string) => Promise<Uint8Array | undefined>

export function hostLookup(lookUp: LookUpRegistration): LookUpHost {
  return async (agentId) => {
    try {
      return fromBase64((await lookUp(agentId)).aik_tpm)
    } catch (cause) {
      if (cause instanceof WireError) throw noHostKey('registrar_answer_unusable', cause)
      if (!(cause instanceof ApiError)) throw cause
      if (cause.code === 'not_found') return undefined
      throw noHostKey(cause.code, cause)
    }
  }
}

function noHostKey(code: ErrorCode, cause: Error): ApiError {
  const detail =
    code === 'registrar_unreachable'
      ? "The provider's registrar cannot be asked for the host of this agent; try again later."
      : "The provider's registrar gives no key of this agent's host that can be used; look at that registrar."
  return new ApiError(code, detail, { cause })
}

/** The newest version that both have. */
async function negotiate(client: Registrar): Promise<ApiVersion> {
  const reply = await ask(client, '/version')
  if (reply.status === 404) return WITHOUT_VERSION
  if (reply.status !== 200 || !VersionReply.Check(reply.body)) throw unusable(reply)
  const { supported_versions: theirs } = reply.body.results
  const version = API_VERSIONS.findLast((one) => theirs.includes(one))
  if (version === undefined) throw unusable(reply)
  return version
}

async function ask(client: Registrar, path: string): Promise<Answer> {
  try {
    return await client.get(path)
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause
    const detail = `The registrar cannot be asked for the key of this agent (${cause.message}); send ak_tpm, or try again later.`
    throw new ApiError('registrar_unreachable', detail, { cause })
  }
}

function unusable({ status }: Answer): ApiError {
  const detail = `The registrar's answer (HTTP ${status}) gives no key of this agent; send ak_tpm, or look at the registrar.`
  return new ApiError('registrar_answer_unusable', detail)
}
