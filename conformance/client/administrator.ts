import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { Target } from '../target/target.ts'

/** One request of an administrator. */
export interface AdministratorRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
}

export interface AdministratorReply {
  readonly status: number
  readonly body: string
}

/** An administrator's connections to one component of a target. Exchanges are not recorded. */
export interface Administrator {
  ask(request: AdministratorRequest): Promise<AdministratorReply>
  /** Closes the connections. */
  close(): void
}

const WITHIN_MS = 30_000

/** Opens connections to `url` with the administrator's certificate; at most `atOnce` requests run in parallel. */
export function administratorOf(
  { tls }: Pick<Target, 'tls'>,
  url: string,
  atOnce: number,
): Administrator {
  const { hostname, port } = new URL(url)
  const agent = new Agent({
    ...{ keepAlive: true, maxSockets: atOnce, ca: readFileSync(tls.ca) },
    ...{ cert: readFileSync(tls.admin.certificate), key: readFileSync(tls.admin.key) },
  })
  const ask: Administrator['ask'] = ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const place = { hostname, port, agent, method, path, headers, timeout: WITHIN_MS }
      const outgoing = request(place, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
        reply.on('error', reject)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} did not answer`)))
      outgoing.on('error', reject)
      outgoing.end(body && JSON.stringify(body))
    })
  return { ask, close: () => agent.destroy() }
}
