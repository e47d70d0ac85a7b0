import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { outliveAnswer } from '../../simulator/agents/http/outlive-answer.ts'
import { readBody } from '../../simulator/agents/http/read-body.ts'
import { MOST_ANSWER_BYTES } from '../attempt/limits-of-answers.ts'
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
    ...{ keepAlive: true, maxSockets: atOnce, maxCachedSessions: 0, ca: readFileSync(tls.ca) },
    ...{ cert: readFileSync(tls.admin.certificate), key: readFileSync(tls.admin.key) },
  })
  const ask: Administrator['ask'] = ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const place = { hostname, port, agent, method, path, headers }
      const outgoing = request(place, (reply) => {
        readBody(reply, MOST_ANSWER_BYTES).then(
          (body) => resolve({ status: reply.statusCode ?? 0, body: body.toString('utf8') }),
          reject,
        )
      })
      const late = () => {
        const error = new Error(`${url} did not answer within ${WITHIN_MS / 1000} s`)
        reject(error)
        outgoing.destroy(error)
      }
      const timer = setTimeout(late, WITHIN_MS)
      outgoing
        .on('socket', outliveAnswer)
        .on('error', reject)
        .on('close', () => clearTimeout(timer))
      outgoing.end(body && JSON.stringify(body))
    })
  return { ask, close: () => agent.destroy() }
}
