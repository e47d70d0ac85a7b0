import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a server answered. */
export interface Seen {
  readonly status: number
  /** Parsed JSON; undefined for anything else. */
  readonly body: unknown
}

const WITHIN_MS = 10_000

/** Asks servers of one authority as its administrator; `directory` has its `cv_ca`. */
export function administratorOf(directory: string) {
  const read = (name: string) => readFileSync(join(directory, 'cv_ca', name))
  return async (port: number, path: string): Promise<Seen> => {
    const asked = request({
      host: '127.0.0.1',
      ...{ port, path, agent: false, timeout: WITHIN_MS },
      ca: read('cacert.crt'),
      cert: read('client-cert.crt'),
      key: read('client-private.pem'),
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer in ten seconds')))
    asked.end()
    const [response]: IncomingMessage[] = await once(asked, 'response')
    if (response === undefined) return { status: 0, body: undefined }
    return { status: response.statusCode ?? 0, body: parse(await text(response)) }
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The member at a path of names, of whatever was answered. */
export function memberOf(body: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => Object(value)[name], body)
}
