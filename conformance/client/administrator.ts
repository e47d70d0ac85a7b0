import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { Target } from '../target/target.ts'

/** One request of an administrator. */
export interface Said {
  readonly method: string
  readonly path: string
  readonly body?: object
}

export interface Heard {
  readonly status: number
  readonly body: string
}

/** The administrator of a target, with connections of its own to one of its components; nothing is recorded. */
export interface Administrator {
  ask(said: Said): Promise<Heard>
  /** Ends its connections. */
  close(): void
}

const WITHIN_MS = 30_000

/** Speaks to the component at `url` with the administrator's certificate, with so many requests at the same time. */
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
      const asked = request(place, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece) => {
          text += piece
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
        reply.on('error', reject)
      })
      asked.on('timeout', () => asked.destroy(new Error(`${url} did not answer`)))
      asked.on('error', reject)
      asked.end(body && JSON.stringify(body))
    })
  return { ask, close: () => agent.destroy() }
}
