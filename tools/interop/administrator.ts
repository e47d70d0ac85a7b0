import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { MOST_ANSWER_BYTES } from '../../conformance/attempt/limits-of-answers.ts'
import { outliveAnswer } from '../../simulator/agents/http/outlive-answer.ts'
import { readBody } from '../../simulator/agents/http/read-body.ts'

/** Status and body of a response. */
interface Reply {
  readonly status: number
  /** Parsed JSON; undefined for anything else. */
  readonly body: unknown
}

const WITHIN_MS = 10_000

/** Returns a client with an administrator certificate of the CA in `directory`/cv_ca. */
export function administratorOf(directory: string) {
  const read = (name: string) => readFileSync(join(directory, 'cv_ca', name))
  return async (port: number, path: string): Promise<Reply> => {
    const sent = request({
      host: '127.0.0.1',
      ...{ port, path, agent: false, signal: AbortSignal.timeout(WITHIN_MS) },
      ca: read('cacert.crt'),
      cert: read('client-cert.crt'),
      key: read('client-private.pem'),
    })
    sent.once('socket', outliveAnswer)
    sent.end()
    const [response]: IncomingMessage[] = await once(sent, 'response')
    if (response === undefined) return { status: 0, body: undefined }
    return {
      status: response.statusCode ?? 0,
      body: parse((await readBody(response, MOST_ANSWER_BYTES)).toString('utf8')),
    }
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The member at a path of names; undefined if it does not exist. */
export function memberOf(body: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => Object(value)[name], body)
}
