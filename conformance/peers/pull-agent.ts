import { readFileSync } from 'node:fs'
import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import type { Registration } from '../../simulator/services/registrar-truth.ts'
import type { ScriptedRegistrar } from '../../simulator/services/scripted-registrar.ts'
import { NotApplicable, PrerequisiteFailed } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import type { Exchange, HttpsClient } from '../client/https-client.ts'
import type { Credentials } from '../client/identity.ts'
import { type AgentOperation, agentRoute } from './agent-routes.ts'
import type { PullAgentProcess } from './pull-agent-process.ts'

export interface AgentCall extends Pick<Exchange, 'body' | 'headers' | 'tls'> {
  /** The judge as verifier and tenant unless told. */
  readonly as?: Credentials
  /** Members of the query; those without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Another version than the judged one in the path. */
  readonly version?: string
}

/** What an integrity quote is asked for. */
export interface IntegrityQuery {
  readonly nonce?: string | undefined
  /** Hexadecimal. */
  readonly mask?: string | undefined
  readonly partial?: string | undefined
  readonly ima_ml_entry?: number | string | undefined
}

/** The pull agent under judgement, spoken to under the judged version. */
export interface PullAgent {
  readonly id: string
  readonly url: string
  readonly client: HttpsClient
  readonly machine: Machine
  readonly registrar: ScriptedRegistrar
  /** Whom the judge is: a client certificate of the server components' authority. */
  readonly judge: Credentials
  /** What it told the registrar. */
  readonly registration: Registration
  call(operation: AgentOperation, options?: AgentCall): Promise<Reply>
  /** Any path. */
  ask(method: string, path: string, options?: AgentCall): Promise<Reply>
  integrity(query: IntegrityQuery, as?: Credentials): Promise<Reply>
  identity(nonce: string, as?: Credentials): Promise<Reply>
  /** The payload that lies where the target file says; undefined for none. Ends the scenario when it does not say. */
  payload(): string | undefined
  /** Lets something happen to the machine, and to its logs. */
  play(script: Script): Promise<void>
}

export interface PullAgentRoom {
  readonly version: string
  readonly judge: Credentials
  /** A client that trusts this certificate as its server's, whatever name is in it. */
  readonly clientOf: (certificate: string) => HttpsClient
}

/** What an agent registered; ends the scenario when there is nothing. */
export function registrationOf(process: PullAgentProcess): Registration {
  const registration = process.registration()
  if (registration !== undefined) return registration
  throw new PrerequisiteFailed('the agent did not register')
}

function certificateOf({ body }: Registration): string {
  const { mtls_cert: certificate } = body
  if (typeof certificate === 'string' && certificate.includes('BEGIN CERTIFICATE'))
    return certificate
  throw new PrerequisiteFailed('the agent registered without an mtls_cert in PEM')
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // nothing was delivered yet
  }
}

function searchOf(query: AgentCall['query'] = {}): string {
  const members = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return members.length === 0 ? '' : `?${members.join('&')}`
}

/** Speaks to an agent that is up. */
export function speakTo(process: PullAgentProcess, room: PullAgentRoom): PullAgent {
  const registration = registrationOf(process)
  const client = room.clientOf(certificateOf(registration))
  const url = `https://127.0.0.1:${process.port}`
  const ask: PullAgent['ask'] = (
    method,
    path,
    { as = room.judge, query, version: _, ...rest } = {},
  ) => client.exchange({ ...rest, method, credentials: as, url: `${url}${path}${searchOf(query)}` })
  const call: PullAgent['call'] = (operation, options = {}) => {
    const { method, path } = agentRoute(operation)
    return ask(method, `/v${options.version ?? room.version}${path}`, options)
  }
  return {
    id: process.id,
    ...{ url, client, registration, ask, call },
    machine: process.machine,
    registrar: process.registrar,
    judge: room.judge,
    integrity: (query, as = room.judge) => call('integrity', { query: { ...query }, as }),
    identity: (nonce, as = room.judge) => call('identity', { query: { nonce }, as }),
    payload() {
      if (process.payloadFile === undefined)
        throw new NotApplicable(
          'the target file does not say where a payload of the pull_agent lies',
        )
      return readText(process.payloadFile)
    },
    async play(script) {
      await process.machine.play(script)
      process.logs.sync()
    },
  }
}
