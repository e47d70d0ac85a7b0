import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { present, type ReplyShape } from '../../api/reply-shape.ts'
import type { ApiVersion } from '../../api/versions.ts'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { StartFault } from '../../errors.ts'
import type { ActivationProof } from '../../evidence/deep-quote/deep-quote.ts'
import {
  type JsonClient,
  type JsonQuestion,
  type JsonReply,
  NoAnswer,
} from '../../http-client/json-client.ts'
import { TpmRefusal } from '../../tpm/commands/response-code.ts'
import type { Attester } from '../attester/attester.ts'
import { Passing, type Retrying, withBackoff } from './backoff.ts'
import { type VersionOrder, versionsToTry } from './negotiate-version.ts'
import { NoRegistrar } from './no-registrar.ts'
import { callFor, hasDeepActivation } from './registration-calls.ts'
import type { Registration } from './registration-request.ts'

/** The input of one attempt. */
interface RegisterOnceParts {
  readonly registrar: JsonClient
  readonly attester: Pick<Attester, 'activate'>
  readonly versions: readonly ApiVersion[]
  /** Chooses the versions to try from ours and those of the registrar; by default {@link versionsToTry}. */
  readonly order?: VersionOrder
  readonly request: ReplyShape<Registration>
  /** Makes the text of the deep quote of an agent with a virtual TPM, which activates with it where a version has that. */
  readonly deepQuote?: DeepQuoting | undefined
}

export type DeepQuoting = (proof: ActivationProof, version: ApiVersion) => Promise<string>

interface RegisterParts extends RegisterOnceParts {
  readonly retrying: Retrying
}

/** No answer, or one that asks for a retry. */
export class Unanswered extends Passing {
  /** Undefined without an answer; the cause has the reason. */
  readonly reply: JsonReply | undefined

  constructor(message: string, reply: JsonReply | undefined, options?: ErrorOptions) {
    super(message, options)
    this.reply = reply
  }
}

/** The registrar refused. */
export class Refusal extends StartFault {
  readonly reply: JsonReply

  constructor(sentence: string, next: string | undefined, reply: JsonReply) {
    super(sentence, next)
    this.reply = reply
  }
}

const BlobReply = Compile(Type.Object({ results: Type.Object({ blob: Type.String() }) }))

/**
 * Registers, and proves to the registrar that both keys are in one TPM. Transient failures are retried.
 *
 * @throws {StartFault} the registrar refuses, or cannot be reached
 */
export async function register(parts: RegisterParts, registration: Registration): Promise<void> {
  try {
    await withBackoff(parts.retrying, () => registerOnce(parts, registration))
  } catch (error) {
    if (!(error instanceof Passing)) throw error
    throw new StartFault(
      `the agent could not be registered: ${error.message}`,
      'check that the registrar runs, and give its address with --set registrar_ip and registrar_port',
      error,
    )
  }
}

/**
 * One try of the same.
 *
 * @throws {Unanswered} another one may go well
 * @throws {StartFault} the registrar refuses, or the server is not a registrar
 */
export async function registerOnce(
  parts: RegisterOnceParts,
  registration: Registration,
): Promise<void> {
  const { order = versionsToTry } = parts
  const versions = order(await ask(parts, { path: '/version' }), parts.versions)
  const { version, blob } = await requestBlob(parts, registration, versions)
  const { agentId } = registration
  const auth_tag = authTag(await openBlob(parts.attester, blob), agentId)
  const reply = await ask(parts, await activation(parts, registration, { version, auth_tag }))
  if (reply.status !== 200) throw refusal('activation', reply)
}

async function activation(
  { deepQuote }: RegisterOnceParts,
  { agentId, akPublic, ekPublic }: Registration,
  { version, auth_tag }: { readonly version: ApiVersion; readonly auth_tag: string },
): Promise<JsonQuestion> {
  if (deepQuote === undefined || !hasDeepActivation(version))
    return { ...callFor('activate', version, agentId), body: { auth_tag } }
  const text = await deepQuote({ tag: auth_tag, ak: akPublic, ek: ekPublic }, version)
  const deepquote = toBase64(new TextEncoder().encode(text))
  return { ...callFor('vactivate', version, agentId), body: { deepquote } }
}

/** HMAC-SHA-384 with the base64 of the secret as the key, over the agent id, in hexadecimal (ambiguity AUTHTAG). */
function authTag(secret: Uint8Array, agentId: string): string {
  return createHmac('sha384', toBase64(secret)).update(agentId).digest('hex')
}

interface Challenge {
  readonly version: ApiVersion
  readonly blob: Uint8Array
}

async function requestBlob(
  parts: RegisterOnceParts,
  registration: Registration,
  versions: readonly ApiVersion[],
): Promise<Challenge> {
  let last: JsonReply | undefined
  for (const version of versions) {
    const call = callFor('register', version, registration.agentId)
    last = await ask(parts, { ...call, body: present(parts.request, registration, version) })
    if (last.status === 200) return { version, blob: blobOf(last) }
    if (last.status === 403) break
  }
  throw last === undefined
    ? new Passing('there is no version to try')
    : refusal('registration', last)
}

function blobOf({ body }: JsonReply): Uint8Array {
  if (!BlobReply.Check(body)) throw unreadable('its answer has no blob')
  try {
    return fromBase64(body.results.blob, 'blob')
  } catch (cause) {
    if (cause instanceof WireError) throw unreadable(cause.message, cause)
    throw cause
  }
}

async function openBlob({ activate }: RegisterOnceParts['attester'], blob: Uint8Array) {
  try {
    return await activate(blob)
  } catch (cause) {
    if (cause instanceof WireError) throw unreadable(cause.message, cause)
    if (!(cause instanceof TpmRefusal)) throw cause
    const sentence = `the TPM does not open the blob of the registrar: ${cause.message}`
    throw new StartFault(sentence, 'it was sealed to another TPM, or for another key', cause)
  }
}

function unreadable(why: string, cause?: unknown): NoRegistrar {
  return new NoRegistrar(
    `the registrar does not answer as a registrar does: ${why}`,
    'check that registrar_ip and registrar_port are those of a registrar',
    cause,
  )
}

/** @throws {Unanswered} */
async function ask({ registrar }: RegisterOnceParts, question: JsonQuestion): Promise<JsonReply> {
  const reply = await registrar.ask(question).catch((cause: unknown) => {
    if (!(cause instanceof NoAnswer)) throw cause
    throw new Unanswered(`the registrar does not answer (${cause.message})`, undefined, { cause })
  })
  if (reply.status >= 500 || reply.status === 408 || reply.status === 429)
    throw new Unanswered(`the registrar answered with HTTP ${reply.status}`, reply)
  return reply
}

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [
    403,
    'another TPM has this id: choose another uuid, or have an administrator delete the old record',
  ],
])

/** The registrar's own text is shown if it is a sentence. */
function refusal(what: string, reply: JsonReply): Refusal {
  const { status, body } = reply
  const said = (body as { readonly status?: unknown } | undefined)?.status
  const words = typeof said === 'string' ? `: ${JSON.stringify(said.slice(0, 200))}` : ''
  return new Refusal(
    `the registrar refused the ${what} with HTTP ${status}${words}`,
    REMEDIES.get(status),
    reply,
  )
}
