import { readFileSync } from 'node:fs'
import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import type { Registration } from '../../simulator/services/registrar-truth.ts'
import type { ScriptedRegistrar } from '../../simulator/services/scripted-registrar.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { show } from '../attempt/check.ts'
import { NotApplicable, PrerequisiteFailed } from '../attempt/endings.ts'
import { isSuccess, type Reply } from '../attempt/reply.ts'
import { prefixesOf } from '../catalogue/routes/operations.ts'
import type { Exchange, HttpsClient } from '../client/https-client.ts'
import type { Credentials } from '../client/identity.ts'
import type { AgentHost } from './agent-host.ts'
import { type AgentOperation, agentRoute } from './agent-routes.ts'
import type { PullAgentProcess } from './pull-agent-process.ts'

export interface AgentCall extends Pick<Exchange, 'body' | 'headers' | 'tls' | 'operation'> {
  /** Default: the harness as verifier and tenant. */
  readonly as?: Credentials
  /** Query parameters; undefined ones are omitted. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Version in the path. Default: the version under test. */
  readonly version?: string
}

/** Query parameters of an integrity quote. */
interface IntegrityQuery {
  readonly nonce?: string | undefined
  /** PCR mask in hexadecimal. */
  readonly mask?: string | undefined
  /** PCR mask of a virtual TPM, up to 2.0. */
  readonly vmask?: string | undefined
  readonly partial?: string | undefined
  readonly ima_ml_entry?: number | string | undefined
}

/** Client of the pull agent under test. */
export interface PullAgent {
  readonly id: string
  readonly url: string
  readonly client: HttpsClient
  readonly machine: Machine
  readonly registrar: ScriptedRegistrar
  /** Its host, if its TPM is virtual. */
  readonly host: AgentHost | undefined
  /** Credentials of the harness as verifier and tenant: a client certificate of the server components' CA. */
  readonly admin: Credentials
  /** How its bootstrap keys are encoded. */
  readonly keyForms: KeyForms
  /** The agent's registration. */
  readonly registration: Registration
  call(operation: AgentOperation, options?: AgentCall): Promise<Reply>
  /** Requests any path. */
  ask(method: string, path: string, options?: AgentCall): Promise<Reply>
  integrity(query: IntegrityQuery, as?: Credentials): Promise<Reply>
  identity(nonce: string, as?: Credentials): Promise<Reply>
  /** The delivered payload; undefined if there is none. @throws {NotApplicable} if the target file does not set its path */
  payload(encoding?: BufferEncoding): string | undefined
  /** Runs a script on the machine and updates its log files. */
  play(script: Script): Promise<void>
  /**
   * Plays a script between two TPM commands of the agent: after the first one, while `request` is answered, for which
   * `isAt` is true. `wasPlayed` is false if there was none.
   */
  playDuring<T>(
    request: () => Promise<T>,
    isAt: (record: CommandRecord) => boolean,
    script: Script,
  ): Promise<{ readonly answer: T; readonly wasPlayed: boolean }>
}

/** How a scenario connects to a pull agent. */
export interface PullAgentAccess {
  readonly version: string
  readonly admin: Credentials
  readonly keyForms: KeyForms
  /** A client that accepts only this server certificate, with any name. */
  readonly clientOf: (certificate: string) => HttpsClient
}

/** The registration of an agent. @throws {PrerequisiteFailed} if it has not registered */
function registrationOf(process: PullAgentProcess): Registration {
  const registration = process.registration()
  if (registration !== undefined) return registration
  throw new PrerequisiteFailed({
    ...{ requirement: 'AGT-REG-ID', what: 'the agent' },
    ...{ expected: 'a registration under its UUID', received: 'none' },
  })
}

function certificateOf({ body }: Registration): string {
  const { mtls_cert: certificate } = body
  if (typeof certificate === 'string' && certificate.includes('BEGIN CERTIFICATE'))
    return certificate
  throw new PrerequisiteFailed({
    ...{ requirement: 'AGT-REG-CERTIFICATE', what: '`mtls_cert` of the registration' },
    ...{ expected: 'a certificate in PEM', received: show(certificate) },
  })
}

function readText(file: string, encoding: BufferEncoding = 'utf8'): string | undefined {
  try {
    return readFileSync(file, encoding)
  } catch {
    return undefined // not delivered yet
  }
}

function searchOf(query: AgentCall['query'] = {}): string {
  const members = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return members.length === 0 ? '' : `?${members.join('&')}`
}

/** The prefix at which an agent serves a version; the first if it has several and serves none (ambiguities V10 and V20). */
async function findPrefix(version: string, ask: PullAgent['ask']): Promise<string> {
  const [first = '', ...others] = prefixesOf('pull agent', version)
  const { method, path } = agentRoute('pubkey')
  for (const prefix of others.length === 0 ? [] : [first, ...others])
    if (isSuccess(await ask(method, `${prefix}${path}`))) return prefix
  return first
}

/** Makes the client of a running agent. */
export function connectTo(process: PullAgentProcess, access: PullAgentAccess): PullAgent {
  const registration = registrationOf(process)
  const client = access.clientOf(certificateOf(registration))
  const url = `https://127.0.0.1:${process.port}`
  const ask: PullAgent['ask'] = (
    method,
    path,
    { as = access.admin, query, version: _, ...rest } = {},
  ) => client.exchange({ ...rest, method, credentials: as, url: `${url}${path}${searchOf(query)}` })
  const prefixes = new Map<string, string>()
  const prefixOf = async (version: string) => {
    const prefix = prefixes.get(version) ?? (await findPrefix(version, ask))
    prefixes.set(version, prefix)
    return prefix
  }
  const call: PullAgent['call'] = async (operation, options = {}) => {
    const { method, path } = agentRoute(operation)
    const prefix = await prefixOf(options.version ?? access.version)
    return ask(method, `${prefix}${path}`, {
      operation: `${method} ${path} of the pull agent`,
      ...options,
    })
  }
  const play: PullAgent['play'] = async (script) => {
    await process.machine.play(script)
    process.logs.sync()
  }
  return {
    id: process.id,
    ...{ url, client, registration, ask, call },
    machine: process.machine,
    host: process.host,
    registrar: process.registrar,
    ...{ admin: access.admin, keyForms: access.keyForms },
    integrity: (query, as = access.admin) => call('integrity', { query: { ...query }, as }),
    identity: (nonce, as = access.admin) => call('identity', { query: { nonce }, as }),
    payload(encoding) {
      if (process.payloadFile === undefined)
        throw new NotApplicable('the target file has no payload path for the pull_agent')
      return readText(process.payloadFile, encoding)
    },
    play,
    async playDuring(request, isAt, script) {
      let played: Promise<void> | undefined
      process.afterCommand(isAt, () => {
        played = play(script)
      })
      try {
        const answer = await request()
        await played
        return { answer, wasPlayed: played !== undefined }
      } finally {
        process.forget()
      }
    },
  }
}
