import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { composeAgent } from '../../compose/compose-agent.ts'
import { composeRegistrar } from '../../compose/compose-registrar.ts'
import { type Parts, SHIPPED_PARTS } from '../../compose/parts.ts'
import { loadConfig } from '../../config/config.ts'
import { ensureTlsDirectory } from '../../pki/tls-directory.ts'
import { NAMES } from '../../pki/tls-names.ts'
import { startSwtpm, type TestTpm } from '../../tpm/testing/swtpm.ts'
import { asking } from './composed.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

interface Answered {
  readonly status: number
  readonly body: { readonly status: string; readonly results: Readonly<Record<string, unknown>> }
}

/** A pull agent on a virtual TPM, registered at a registrar, asked over mTLS as an administrator. */
export interface ComposedAgent {
  readonly uuid: string
  readonly port: number
  /** Holds `cv_ca` and the agent's own directory. */
  readonly stateDirectory: string
  readonly tpm: TestTpm
  ask(path: string, body?: unknown): Promise<Answered>
  /** GET at the registrar, as an administrator. */
  registration(): Promise<Readonly<Record<string, unknown>>>
}

/** Making one takes longer than all the rest of a start. */
const NODE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})

const UUID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** Starts both; they end with the test. */
export async function composedAgent(
  settings: readonly string[] = [],
  parts: Parts = SHIPPED_PARTS,
): Promise<ComposedAgent> {
  const state_dir = temporaryDirectory()
  const directory = join(state_dir, 'cv_ca')
  await ensureTlsDirectory({ directory, hosts: ['127.0.0.1'], now: Date.now() })
  const common = ['log_level=silent', `state_dir=${state_dir}`]
  const registrarPort = await startRegistrar(common, parts)
  const tpm = await startSwtpm()
  const port = await freePort()
  const config = loadConfig('agent', undefined, [
    ...[...common, `port=${port}`, `registrar_port=${registrarPort}`, `tcti=${tpm.tcti}`],
    // Keys on curves are made in milliseconds.
    ...['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa', `uuid=${UUID}`],
    ...['ima_ml_path=/nowhere/list', 'measuredboot_ml_path=/nowhere/log', ...settings],
  ])
  mkdirSync(join(state_dir, 'agent'))
  writeFileSync(join(state_dir, 'agent', 'payload-private.pem'), NODE_KEY)
  const agent = await composeAgent(config, parts)
  onTestFinished(() => agent.close())
  await agent.server.listen({ host: '127.0.0.1', port })
  const registrar = asking(directory, registrarPort)
  const client = clientOf(state_dir, directory)
  return {
    ...{ uuid: UUID, port, stateDirectory: state_dir, tpm },
    ask: (path, body) => send(client, port, path, body),
    async registration() {
      const { body } = await registrar(`/v2.5/agents/${UUID}`, { admin: true })
      return (body as Answered['body']).results
    },
  }
}

async function startRegistrar(settings: readonly string[], parts: Parts): Promise<number> {
  const config = loadConfig('registrar', undefined, [...settings, 'port=0'])
  const registrar = await composeRegistrar(config, parts)
  onTestFinished(() => registrar.close())
  await registrar.server.listen({ host: '127.0.0.1', port: 0 })
  return (registrar.server.server.address() as AddressInfo).port
}

function clientOf(stateDirectory: string, directory: string): Agent {
  const client = new Agent({
    keepAlive: true,
    ca: readFileSync(join(stateDirectory, 'agent', 'server-cert.crt')),
    cert: readFileSync(join(directory, NAMES.adminCertificate)),
    key: readFileSync(join(directory, NAMES.adminKey)),
  })
  onTestFinished(() => client.destroy())
  return client
}

async function send(agent: Agent, port: number, path: string, body?: unknown): Promise<Answered> {
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request({ host: '127.0.0.1', port, path, agent, method })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [reply] = await once(sent, 'response')
  return { status: reply.statusCode, body: JSON.parse(await text(reply)) }
}
