import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { composeRegistrar } from '../../compose/compose-registrar.ts'
import { composeVerifier } from '../../compose/compose-verifier.ts'
import { type Parts, SHIPPED_PARTS } from '../../compose/parts.ts'
import { loadConfig } from '../../config/config.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export type Role = 'verifier' | 'registrar'

export interface CallOptions {
  readonly method?: string
  readonly body?: unknown
  /** With the certificate of the administrator that the verifier made. */
  readonly admin?: boolean
  readonly token?: string | undefined
}

export interface Answered {
  readonly status: number
  /** The parsed JSON of the answer. */
  readonly body: unknown
}

/** Both components on loopback ports, asked over TLS. */
export interface Composed {
  /** Where the verifier has put the CA. */
  readonly state_dir: string
  portOf(role: Role): number
  ask(role: Role, path: string, asked?: CallOptions): Promise<Answered>
}

/** Starts both with some settings over their defaults; they end with the test. */
export async function composed(
  settings: readonly string[] = [],
  parts: Parts = SHIPPED_PARTS,
): Promise<Composed> {
  const state_dir = temporaryDirectory()
  const given = ['log_level=silent', 'port=0', `state_dir=${state_dir}`, ...settings]
  const verifier = await composeVerifier(loadConfig('verifier', undefined, given), parts)
  const registrar = await composeRegistrar(loadConfig('registrar', undefined, given), parts)
  onTestFinished(async () => {
    await verifier.close()
    await registrar.close()
  })
  const ports = new Map<Role, number>()
  for (const [role, { server }] of [
    ['verifier', verifier],
    ['registrar', registrar],
  ] as const) {
    await server.listen({ host: '127.0.0.1', port: 0 })
    ports.set(role, (server.server.address() as AddressInfo).port)
  }
  const directory = join(state_dir, 'cv_ca')
  const clients = {
    verifier: asking(directory, ports.get('verifier') ?? 0),
    registrar: asking(directory, ports.get('registrar') ?? 0),
  }
  return {
    state_dir,
    portOf: (role) => ports.get(role) ?? 0,
    ask: (role, path, asked) => clients[role](path, asked),
  }
}

/** A client of one server, which presents the administrator's certificate if requested. */
export function asking(
  directory: string,
  port: number,
): (path: string, asked?: CallOptions) => Promise<Answered> {
  const agents = { anonymous: agentOf(directory, undefined), admin: agentOf(directory, 'client') }
  onTestFinished(() => Object.values(agents).forEach((agent) => void agent.destroy()))
  return (path, { admin, ...asked } = {}) => {
    const agent = admin === true ? agents.admin : agents.anonymous
    return send({ host: '127.0.0.1', port, path, agent }, asked)
  }
}

/** Connections that are used again, with the certificate of that name or with none. */
function agentOf(directory: string, client: string | undefined): Agent {
  const read = (name: string) => readFileSync(join(directory, name))
  return new Agent({
    keepAlive: true,
    ca: read('cacert.crt'),
    ...(client === undefined
      ? {}
      : { cert: read(`${client}-cert.crt`), key: read(`${client}-private.pem`) }),
  })
}

async function send(
  options: RequestOptions,
  { method = 'GET', body, token }: CallOptions,
): Promise<Answered> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const sent = request({ ...options, method, headers })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [reply] = await once(sent, 'response')
  return { status: reply.statusCode, body: JSON.parse(await text(reply)) }
}
