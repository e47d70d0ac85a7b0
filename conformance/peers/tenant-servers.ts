import { pullAttester } from '../../simulator/agents/attester.ts'
import { type BootstrapKeys, bootstrapKeys } from '../../simulator/agents/bootstrap-keys.ts'
import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import type { Results } from '../../simulator/agents/misbehaviour.ts'
import { type NodeKey, nodeKeyOf } from '../../simulator/agents/node-key.ts'
import {
  type AgentRequest,
  type Operation,
  parseAgentRequest,
  parseTarget,
} from '../../simulator/agents/request-line.ts'
import type { PullMachine } from '../../simulator/machine/pull-machine.ts'
import type {
  Answer,
  ReceivedRequest,
  ServedReply,
  Service,
} from '../../simulator/services/service.ts'
import { base64, unbase64 } from '../client/bytes.ts'
import { encryptKey } from './bootstrap-keys.ts'

/** The simulated peers of one tenant: a registered agent, a registrar and a verifier. */
export interface Play {
  readonly agentId: string
  readonly machine: PullMachine
  /** The agent's server certificate in PEM. */
  readonly certificate: string
  /** Versions of the agent, in the order in which it lists them. */
  readonly agentVersions: readonly string[]
  /** The agent answers GET /version with 404. */
  readonly withoutVersionRoute?: true
  /** The agent names its latest version alone, as the document has no list of them before 2.5. */
  readonly withoutVersionList?: boolean
  /** Mutates the agent's answer to an identity quote. */
  readonly mutateIdentity?:
    | ((results: Results, again: Again) => Promise<Results> | Results)
    | undefined
  /** The public key that the agent gives outside of quotes, in PEM, in place of its own. */
  readonly unquotedKey?: string | undefined
  /** The loopback address at which the agent listens, and which it has registered; 127.0.0.1 by default. */
  readonly agentHost?: string | undefined
  /** How often the agent has registered; 1 by default. */
  readonly registrations?: number | undefined
  /** Mutates the registrar's record of the agent. */
  readonly mutateRecord?: ((record: Results) => Results) | undefined
  /** Versions that the registrar and the verifier list, in this order. */
  readonly serverVersions?: Readonly<Record<'registrar' | 'verifier', readonly string[]>>
  /** The agent has registered no certificate, and speaks no TLS. */
  readonly withoutTls?: true
  /** The registrar's answer to questions about the agent, in place of its record. */
  readonly recordReply?: ServedReply | undefined
  /** Mutates the agent's proof of K. */
  readonly mutateProof?: ((hmac: string) => string) | undefined
  /** The HTTP status of the agent's answer in place of its proof of K. */
  readonly proofStatus?: number | undefined
}

/** Makes a correct answer of the same agent for another nonce. */
export type Again = (nonce: string) => Promise<Results>

const SERVER_VERSIONS = ['2.1', '2.2', '2.3', '2.4', '2.5']
/** Bytes of the V key; RSA encrypts none that is much longer. */
const KEY_BYTES = 32
/** Other agents of the registrar; their ids come before and after all others. */
const FIRST_AGENT = '00000000-0000-4000-8000-000000000000'
const LAST_AGENT = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const NODE_KEY = 'the node key of an agent that tenants add'

function success(results: unknown = {}): Answer {
  return { status: 200, body: { code: 200, status: 'Success', results } }
}

function failure(status: number, message: string): Answer {
  return { status, body: { code: status, status: message, results: {} } }
}

function versionsOf({ serverVersions }: Play, server: 'registrar' | 'verifier'): Answer {
  const supported_versions = serverVersions?.[server] ?? SERVER_VERSIONS
  return success({ current_version: supported_versions.toSorted().at(-1), supported_versions })
}

/** Keys of the agent; the simulated verifier delivers V. */
export interface AgentKeys {
  readonly keys: BootstrapKeys
  readonly nodeKey: NodeKey
  readonly keyForms: KeyForms
}

export function makeAgentKeys(agentId: string, keyForms: KeyForms): AgentKeys {
  const nodeKey = nodeKeyOf(NODE_KEY)
  return { nodeKey, keyForms, keys: bootstrapKeys(agentId, nodeKey, keyForms) }
}

/** The answers of the simulated agent. */
export function agentAnswers(
  play: Play,
  { keys, nodeKey }: AgentKeys,
): (request: ReceivedRequest) => Promise<Answer> {
  const { machine, agentVersions } = play
  const attester = pullAttester({ machine, nodeKey, hashAlg: 'sha256', now: Date.now })
  const answers: Partial<
    Record<Operation, (request: AgentRequest, json: unknown) => Promise<Answer>>
  > = {
    async identity({ query, version = '' }) {
      const honest = (nonce: string) => attester.attest({ nonce, pcrs: [], withKey: true, version })
      const truth = await honest(query['nonce'] ?? '')
      return success((await play.mutateIdentity?.(truth, honest)) ?? truth)
    },
    pubkey: async () => success({ pubkey: play.unquotedKey ?? nodeKey.publicPem }),
    ukey: async (_request, json) => taken(keys.takeU(json)),
    vkey: async (_request, json) => taken(keys.takeV(json)),
    async verify({ query }) {
      if (play.proofStatus !== undefined) return failure(play.proofStatus, 'No proof.')
      const hmac = keys.proof(query['challenge'] ?? '')
      if (hmac === undefined) return failure(400, 'Bootstrap key not yet available.')
      return success({ hmac: play.mutateProof?.(hmac) ?? hmac })
    },
  }
  return async ({ method, url, json }) => {
    const request = parseAgentRequest(method, url)
    const { operation, version = '' } = request
    if (operation === 'version') {
      if (play.withoutVersionRoute) return failure(404, 'Not Implemented')
      return success({
        supported_version: agentVersions.toSorted().at(-1),
        ...(play.withoutVersionList ? {} : { supported_versions: agentVersions }),
      })
    }
    if (!agentVersions.includes(version))
      return failure(400, `API version not supported: v${version}`)
    const answer = operation && answers[operation]
    return answer === undefined ? failure(400, 'Not Implemented') : answer(request, json)
  }
}

function taken(good: boolean): Answer {
  return good ? success() : failure(400, 'The key does not decrypt')
}

/** The answers of the simulated registrar, which lists the agent between two others and has the record of that one. */
export function registrarAnswers(
  play: Play,
  agent: () => Pick<Service, 'port' | 'tlsPort'>,
): (request: ReceivedRequest) => Answer {
  return ({ method, url }) => {
    const { path: pathname } = parseTarget(url)
    if (pathname === '/version') return versionsOf(play, 'registrar')
    if (method === 'DELETE' && pathname.endsWith(`/agents/${play.agentId}`)) return success()
    if (method !== 'GET') return failure(405, 'this registrar accepts no registrations')
    if (/\/agents\/?$/.test(pathname))
      return success({ uuids: [FIRST_AGENT, play.agentId, LAST_AGENT] })
    if (!pathname.endsWith(`/agents/${play.agentId}`)) return failure(404, 'agent id not found')
    return play.recordReply ?? success(recordOf(play, agent()))
  }
}

function recordOf(play: Play, { port, tlsPort }: Pick<Service, 'port' | 'tlsPort'>): Results {
  const { machine, registrations: regcount = 1 } = play
  const { ek, ak } = machine
  const record = {
    aik_tpm: base64(ak.public),
    ek_tpm: base64(ek.public),
    ekcert: base64(ek.certificate),
    ...(play.withoutTls ? {} : { mtls_cert: play.certificate }),
    ip: play.agentHost ?? '127.0.0.1',
    port: play.withoutTls ? port : tlsPort,
    regcount,
  }
  return play.mutateRecord?.(record) ?? record
}

/** The answers of the simulated verifier: it accepts every request and delivers V to the agent. */
export function verifierAnswers(
  play: Play,
  agentKeys: AgentKeys,
): (request: ReceivedRequest) => Answer {
  const agents = agentsOf(play, agentKeys)
  const [policies, bootPolicies] = [policiesOf('runtimepolicy'), policiesOf('mbpolicy')]
  return (request) => {
    const { path: pathname } = parseTarget(request.url)
    if (pathname === '/version') return versionsOf(play, 'verifier')
    const [, kind, name = ''] =
      /^\/v\d[^/]*\/(agents|allowlists?|mbpolicies)\/?([^/]*)/.exec(pathname) ?? []
    if (kind === undefined) return failure(404, 'unknown path')
    if (kind === 'agents') return agents(request, name)
    return kind === 'mbpolicies' ? bootPolicies(request, name) : policies(request, name)
  }
}

type Named = (request: ReceivedRequest, name: string) => Answer

function policiesOf(kind: 'runtimepolicy' | 'mbpolicy'): Named {
  const policies = new Map<string, unknown>()
  return ({ method, json }, name) => {
    if (method === 'POST' || method === 'PUT') policies.set(name, json)
    if (name !== '') return success({ name, ...Object(policies.get(name)) })
    const names = [...policies.keys()]
    return success({ [`${kind}_names`]: names, [`${kind} names`]: names })
  }
}

function agentsOf({ agentId }: Play, { keys, nodeKey, keyForms }: AgentKeys): Named {
  let added = false
  const operations: Readonly<Record<string, Named>> = {
    POST({ json }) {
      added = true
      const { v } = (json ?? {}) as { readonly v?: unknown }
      const key = typeof v === 'string' ? unbase64(v) : undefined
      if (key?.length === KEY_BYTES)
        keys.takeV({ encrypted_key: encryptKey(nodeKey.publicPem, key, keyForms) })
      return success()
    },
    DELETE() {
      added = false
      return success()
    },
    PUT: () => success(),
    GET({ url }, name) {
      const record = { operational_state: 3, attestation_status: 'PASS', ip: '127.0.0.1' }
      const all = added ? { [agentId]: record } : {}
      if (name === '' && /[?&]bulk=true/i.test(url)) return success(all)
      if (name === '') return success({ uuids: Object.keys(all).map((id) => [id]) })
      return added ? success(record) : failure(404, 'agent id not found')
    },
  }
  return (request, name) =>
    operations[request.method]?.(request, name) ?? failure(405, 'method not allowed')
}
