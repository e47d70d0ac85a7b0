import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PullMachine } from '../machine/pull-machine.ts'
import type { Bank } from '../tpm/hash.ts'
import { type AgentListener, type ListenerOptions, openListener } from './agent-listener.ts'
import { pullAttester } from './attester.ts'
import { type BootstrapKeys, bootstrapKeys } from './bootstrap-keys.ts'
import { masksOf, type PullHost } from './deep-quote.ts'
import { parseJson } from './http/parse-json.ts'
import { type KeyForms, USUAL_FORMS } from './key-forms.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { type NodeKey, nodeKeyOf } from './node-key.ts'
import { ANONYMOUS, type PullRequest, readPeer, readRequest } from './pull-request.ts'
import { MISBEHAVIOURS, type PullScript, rowAt, type ScriptRow } from './pull-script.ts'
import { type AgentRequest, type Operation, parseAgentRequest, pcrsOfMask } from './request-line.ts'

export interface PullAgentOptions
  extends Omit<ListenerOptions, 'onConnection' | 'onRequest' | 'onUnread'> {
  readonly agentId: string
  readonly machine: PullMachine
  /** Its host, if its TPM is virtual. */
  readonly hostMachine?: PullHost | undefined
  /** Supported versions, listed in this order; it refuses others as an agent does. */
  readonly versions: readonly string[]
  /** Whether `/version` lists them, and does not only name the latest, as before 2.5; default true. */
  readonly listsVersions?: boolean | undefined
  /** When and how it misbehaves; honest if absent. */
  readonly script?: PullScript
  /** Name of its node key, shared by all agents with that name, since key generation is slow. */
  readonly nodeKeyName?: string
  /** Quoted bank; default SHA-256. */
  readonly hashAlg?: Bank
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether results have `boottime`; default true. */
  readonly sendsBoottime?: boolean
  /** How V and U are encoded; default: as upstream has it. */
  readonly keyForms?: KeyForms
  /** Keeps no record of requests, for an agent that receives thousands. */
  readonly forgetful?: boolean
  /** Called with each request or disturbed connection as it arrives. */
  readonly onAgentRequest?: (request: PullRequest) => void
}

/** A pull agent that follows its script and records its requests. */
export interface ScriptedPullAgent {
  readonly host: string
  readonly port: number
  /** All requests and disturbed connections, oldest first. */
  readonly requests: readonly PullRequest[]
  /** Number of integrity quote requests, including those prevented by a disturbed connection. */
  readonly polls: number
  /** Number of integrity quote requests whose answer is being sent. */
  readonly answering: number
  readonly keys: BootstrapKeys
  /** Replaces the script; the poll count continues. */
  rewrite(script: PullScript): void
  /** Stops listening and closes its connections. Further calls have no effect. */
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly says: string
  readonly results: unknown
}

type Answering = (
  parsed: AgentRequest,
  body: string,
  bad: Misbehaviour | undefined,
) => Promise<Answer>

const DEFAULT_NODE_KEY = 'the node key of scripted agents'

/** The newest of some versions, compared numerically. */
function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

function success(results: unknown = {}): Answer {
  return { status: 200, says: 'Success', results }
}

function failure(status: number, says: string): Answer {
  return { status, says, results: {} }
}

/** Returns the honest answer to each operation. */
function answersOf(
  options: PullAgentOptions,
  parts: { readonly keys: BootstrapKeys; readonly nodeKey: NodeKey },
): Readonly<Record<Operation, Answering>> {
  const { agentId, machine, hostMachine: host, versions, now } = options
  const { hashAlg = 'sha256', sendsBoottime = true, listsVersions = true } = options
  const { keys, nodeKey } = parts
  const attester = pullAttester({ machine, host, nodeKey, hashAlg, now, sendsBoottime })
  const taken = (isGood: boolean) => (isGood ? success() : failure(400, 'The key does not decrypt'))
  return {
    version: async (_asked, _body, bad) => {
      const spoken = bad?.serves ?? versions
      const list = listsVersions ? { supported_versions: spoken } : {}
      return success({ supported_version: newest(spoken), ...list })
    },
    info: async ({ version = '' }) => {
      const { hash_alg, enc_alg, sign_alg } = attester.algorithms(version)
      const names = { tpm_hash_alg: hash_alg, tpm_enc_alg: enc_alg, tpm_sign_alg: sign_alg }
      return success({ agent_uuid: agentId, ...names, ak_handle: machine.ak.handle })
    },
    pubkey: async () => success({ pubkey: nodeKey.publicPem }),
    vkey: async (_asked, body, bad) =>
      bad?.refusesV ? failure(503, 'Not now') : taken(keys.takeV(parseJson(body))),
    ukey: async (_asked, body) => taken(keys.takeU(parseJson(body))),
    verify: async ({ query }) => {
      const hmac = keys.proof(query['challenge'] ?? '')
      return hmac === undefined
        ? failure(400, 'Bootstrap key not yet available.')
        : success({ hmac })
    },
    identity: async ({ query, version = '' }) => {
      const parsed = { nonce: query['nonce'] ?? '', pcrs: [], withKey: true, version }
      return success(await attester.attest(parsed))
    },
    integrity: async ({ query, version = '' }, _body, bad) => {
      const entry = Number(query['ima_ml_entry'] ?? 0) || 0
      const withKey = query['partial'] !== '1'
      const masks = masksOf(query, host, pcrsOfMask)
      const parsed = { nonce: query['nonce'] ?? '', ...masks, withKey, version, entry }
      return success(await attester.attest(parsed, bad))
    },
    revocation: async () => success(),
  }
}

/** Answer of an agent to an unsupported version; the upstream verifier then requests `/version`. */
function refusalOf(parsed: AgentRequest, versions: readonly string[]): Answer | undefined {
  const { operation, version } = parsed
  if (operation === 'version') return undefined
  if (version !== undefined && !versions.includes(version))
    return failure(400, `API version not supported: v${version}`)
  return operation === undefined ? failure(400, 'Not Implemented') : undefined
}

/** Starts a scripted pull agent. Resolves when it listens. */
export async function startPullAgent(options: PullAgentOptions): Promise<ScriptedPullAgent> {
  const { agentId, machine, now, forgetful = false, onAgentRequest = () => undefined } = options
  const nodeKey = nodeKeyOf(options.nodeKeyName ?? DEFAULT_NODE_KEY)
  const keys = bootstrapKeys(agentId, nodeKey, options.keyForms ?? USUAL_FORMS)
  const answers = answersOf(options, { keys, nodeKey })
  const requests: PullRequest[] = []
  const happened = new Set<ScriptRow>()
  /** The polls that are counted already, as their connections were disturbed. */
  const disturbed = new Map<number, number>()
  let script = options.script ?? []
  let replacing = new AbortController()
  let polls = 0
  let answering = 0

  const badAt = (poll: number) => {
    const row = rowAt(script, poll)
    return row && MISBEHAVIOURS[row.does]
  }
  const remember = (request: PullRequest) => {
    if (!forgetful) requests.push(request)
    onAgentRequest(request)
  }
  const letHappen = async (poll: number): Promise<void> => {
    const row = rowAt(script, poll)
    if (row === undefined || happened.has(row)) return
    happened.add(row)
    await MISBEHAVIOURS[row.does].happens?.(machine)
  }
  const answer = async (
    parsed: AgentRequest,
    body: string,
    bad?: Misbehaviour,
  ): Promise<Answer> => {
    const refusal = refusalOf(parsed, bad?.serves ?? options.versions)
    if (refusal !== undefined || parsed.operation === undefined)
      return refusal ?? failure(400, 'Not Implemented')
    return answers[parsed.operation](parsed, body, bad)
  }
  const onRequest = async (
    request: IncomingMessage,
    response: ServerResponse,
    connection: number,
  ): Promise<void> => {
    const parsed = parseAgentRequest(request.method ?? '', request.url ?? '')
    const isPoll = parsed.operation === 'integrity'
    const poll = isPoll ? (disturbed.get(connection) ?? ++polls) : undefined
    const bad = badAt(poll ?? polls + 1)
    const body = await readRequest(request)
    const { 'content-type': contentType } = request.headers
    const peer = readPeer(request.socket)
    remember({ ...parsed, at: now(), poll, connection, contentType, body, ...peer })
    if (poll !== undefined) {
      answering += 1
      response.once('close', () => {
        answering -= 1
      })
      await letHappen(poll)
    }
    const { status, says, results } = await answer(parsed, body, bad)
    // Only a new connection can be disturbed, and only for one poll.
    if (disturbed.has(connection) || badAt(polls + 1)?.connects !== undefined)
      response.setHeader('connection', 'close')
    const text = JSON.stringify({ code: status, status: says, results })
    if (poll !== undefined && bad !== undefined && 'answers' in bad)
      return bad.answers?.(response, text, replacing.signal)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const unread = { operation: undefined, version: undefined, query: {} }
  const onUnread: ListenerOptions['onUnread'] = ({ firstLine, text }, socket, connection) => {
    const request = { ...unread, method: '', target: firstLine, body: text, poll: undefined }
    remember({ ...request, at: now(), connection, ...readPeer(socket) })
  }
  const onConnection: ListenerOptions['onConnection'] = (socket, connection, other) => {
    const bad = badAt(polls + 1)
    if (bad?.connects === undefined) return false
    polls += 1
    disturbed.set(connection, polls)
    const parsed = { ...unread, method: '', target: '' }
    remember({ ...parsed, at: now(), poll: polls, connection, body: '', ...ANONYMOUS })
    bad.connects(socket, other)
    return true
  }
  const listener: AgentListener = await openListener({
    ...{ ...options, onConnection, onRequest, onUnread },
  })
  return {
    host: listener.host,
    port: listener.port,
    requests,
    get polls() {
      return polls
    },
    get answering() {
      return answering
    },
    keys,
    rewrite(next) {
      script = next
      replacing.abort()
      replacing = new AbortController()
    },
    close: () => {
      replacing.abort()
      return listener.close()
    },
  }
}
