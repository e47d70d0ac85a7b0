import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { composeTenantWeb, TENANT_WEB_PARTS } from '../../compose/compose-tenant-web.ts'
import { loadConfig } from '../../config/config.ts'
import { TENANT_PARTS } from '../tenant-parts.ts'
import { scene } from './add-scene.ts'
import { AGENT_ID, type AgentChange } from './stub-agent.ts'

export const AGENT = `/v2/agents/${AGENT_ID}`
/** The body of an addition without a payload. */
export const IP = { ip: '127.0.0.1' }

interface Asked {
  readonly method?: string
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The name of a pair of files of the deployment; undefined for no certificate. Default: the administrator's. */
  readonly client?: string | undefined
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Of an envelope. */
  readonly says: string
  readonly results: Readonly<Record<string, unknown>>
}

/** The web application, in front of real servers with a registered pull agent. */
export async function webScene(
  settings: readonly string[] = [],
  change: AgentChange = {},
  record: Readonly<Record<string, unknown>> = {},
) {
  const servers = await scene(change, record)
  const { state_dir } = servers
  const config = loadConfig('tenant', undefined, [
    ...[`state_dir=${state_dir}`, 'require_ek_cert=False', 'log_level=silent'],
    `verifier_port=${servers.portOf('verifier')}`,
    `registrar_port=${servers.portOf('registrar')}`,
    ...settings,
  ])
  const tenant = { ...TENANT_PARTS, pause: async () => undefined }
  const web = await composeTenantWeb(config, { ...TENANT_WEB_PARTS, tenant })
  await web.server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => web.close())
  const { port } = web.server.server.address() as AddressInfo
  const directory = join(state_dir, 'cv_ca')
  const get = (path: string, asked: Asked = {}) => send({ port, path, directory }, asked)
  return {
    ...{ ...servers, port, directory },
    web: get,
    /** The lines of the log, without their times. */
    lines: async (query = '') => {
      const { log } = (await get(`/v2/logs/tenant${query}`)).results
      return (log as readonly string[]).map((line) => line.replace(/^\S+Z /, ''))
    },
  }
}

async function send(
  { port, path, directory }: { port: number; path: string; directory: string },
  { method = 'GET', body, headers = {}, ...asked }: Asked,
): Promise<Answered> {
  const read = (name: string) => readFileSync(join(directory, name))
  const client = 'client' in asked ? asked.client : 'client'
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method, headers, agent: false, ca: read('cacert.crt') },
    ...(client && { cert: read(`${client}-cert.crt`), key: read(`${client}-private.pem`) }),
  })
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
  const [reply] = await once(sent, 'response')
  const received = await text(reply)
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const { status: says = '', results = {} } = isJson ? JSON.parse(received) : {}
  return { status: reply.statusCode, headers: reply.headers, text: received, says, results }
}
