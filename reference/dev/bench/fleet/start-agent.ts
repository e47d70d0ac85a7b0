import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { composeAgent } from '../../../compose/compose-agent.ts'
import { startPushAgent } from '../../../compose/compose-push-agent.ts'
import { SHIPPED_PARTS } from '../../../compose/parts.ts'
import { loadConfig } from '../../../config/config.ts'
import type { AgentOrder, AttestationTimes, StartedAgent } from './order.ts'

/** The input of one agent. */
interface AgentPlace {
  readonly order: AgentOrder
  /** Of its own, and there already. */
  readonly directory: string
  readonly tcti: string
  readonly imaList: string
  readonly ca: string
  readonly verifierPort: number
  readonly registrarPort: number
  readonly nodeKey: string
  readonly interval: number
  /** A free port. */
  readonly port: number
  readonly onAttestation: (attestation: AttestationTimes) => void
  readonly onTrouble: (why: string) => void
}

/** An agent of the reference that runs in this process. */
export interface HostedAgent {
  readonly started: StartedAgent
  stop(): Promise<void>
}

const P256 = ['tpm_encryption_alg=ecc', 'tpm_signing_alg=ecdsa']

/** Starts an agent, and resolves once it is registered. */
export function startAgent(place: AgentPlace): Promise<HostedAgent> {
  return place.order.kind === 'pull' ? startPull(place) : startPush(place)
}

function commonSettings({ order, directory, tcti, imaList, registrarPort }: AgentPlace) {
  return [
    ...['log_level=silent', `state_dir=${directory}`, `uuid=${order.agentId}`, `tcti=${tcti}`],
    ...[`registrar_port=${registrarPort}`, `ima_ml_path=${imaList}`],
    ...['measuredboot_ml_path=/nowhere', 'exponential_backoff_initial_delay=500', ...P256],
  ]
}

async function startPull(place: AgentPlace): Promise<HostedAgent> {
  const { order, directory, ca, port, nodeKey, onAttestation } = place
  const own = join(directory, 'agent')
  mkdirSync(own, { mode: 0o700 })
  writeFileSync(join(own, 'payload-private.pem'), nodeKey, { mode: 0o600 })
  const settings = [...commonSettings(place), `port=${port}`, `trusted_client_ca=${ca}`]
  const config = loadConfig('agent', undefined, settings)
  const agent = await composeAgent(config, SHIPPED_PARTS)
  agent.server.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const began = Date.now()
    if (!request.url?.includes('/quotes/integrity')) return
    response.on('finish', () => {
      if (response.statusCode === 200) onAttestation([Date.now(), Date.now() - began])
      else place.onTrouble(`a quote was answered with HTTP ${response.statusCode}`)
    })
  })
  await agent.server.listen({ host: '127.0.0.1', port })
  const certificate = readFileSync(join(own, 'server-cert.crt'), 'utf8')
  return { started: { ...order, port, certificate }, stop: () => agent.close() }
}

async function startPush(place: AgentPlace): Promise<HostedAgent> {
  const { order, ca, verifierPort, interval, onAttestation } = place
  const config = loadConfig('push-agent', undefined, [
    ...commonSettings(place),
    ...[`verifier_url=https://127.0.0.1:${verifierPort}`, `verifier_tls_ca_cert=${ca}`],
    ...[`registrar_tls_ca_cert=${ca}`, `attestation_interval_seconds=${interval}`],
    ...['exponential_backoff_max_delay=2000', 'request_timeout=30000'],
  ])
  const registered = deferred()
  let [isAttesting, began] = [false, 0]
  const agent = await startPushAgent(config, {
    onStep({ event, to, why }) {
      if (event === 'registered') registered.resolve()
      if (to === 'Negotiating') began = Date.now()
      if (event === 'accepted') onAttestation([Date.now(), Date.now() - began])
      isAttesting ||= event === 'accepted'
      // Before it is enrolled its session fails, as it should.
      if (isAttesting && why !== undefined) place.onTrouble(`${event}: ${why}`)
    },
  })
  await Promise.race([registered.promise, agent.ended])
  return { started: order, stop: () => agent.stop() }
}

/** A promise that is resolved from outside. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
