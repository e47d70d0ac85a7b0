import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { agentId } from '../agent/agent-id.ts'
import type { Attester } from '../agent/attester/attester.ts'
import { attesterOf } from '../agent/attester/attester-of.ts'
import { bootLog } from '../agent/logs/boot-log.ts'
import { imaLog } from '../agent/logs/ima-log.ts'
import { bootTimes } from '../agent/push/boot-record.ts'
import { countingBootEvents, countingIma } from '../agent/push/count-entries.ts'
import { type PushStep, pushDriver, runPushAgent } from '../agent/push/driver.ts'
import type { PushEnvironment, WaitingClock } from '../agent/push/environment.ts'
import type { Pauses } from '../agent/push/pauses.ts'
import { PUSH_AGENT_PARTS, type PushAgentParts } from '../agent/push/push-agent-parts.ts'
import { presentWhy } from '../agent/push/verifier/remedies.ts'
import type { PushAgentConfig } from '../config/config.ts'
import { StartFault } from '../errors.ts'
import type { JsonClient } from '../http-client/json-client.ts'
import { loadAuthorities } from '../pki/tls-files.ts'
import { NAMES } from '../pki/tls-names.ts'
import { createLog, type Log } from '../platform/log.ts'
import { type Random, systemRandom } from '../platform/random.ts'

/** A push agent that runs. */
interface RunningPushAgent {
  readonly uuid: string
  /** Resolves when it has ended; rejects when it could not go on. */
  readonly ended: Promise<void>
  /** Ends it: nothing more is sent, the TPM is left without keys of it, and the connections are closed. */
  stop(): Promise<void>
}

/** Dependencies of a push agent in addition to its settings; each agent in a process has its own. */
interface PushAgentSurroundings {
  readonly parts?: PushAgentParts
  readonly clock?: WaitingClock
  readonly random?: Random
  readonly log?: Log
  /** Called for every transition. */
  readonly onStep?: (step: PushStep) => void
}

/** The time of the machine; timers do not depend on the wall clock. */
const systemWaitingClock: WaitingClock = {
  now: () => Date.now(),
  async wait(milliseconds, signal) {
    // A stop ends the wait.
    await delay(milliseconds, undefined, { signal }).catch(() => undefined)
  },
}

/** Bytes that an answer may have: the one to evidence repeats it. */
const LARGEST_ANSWER = 67_108_864

/**
 * Milliseconds that a connection is kept for the next request of the same cycle. One that were kept for the next cycle may
 * have been closed by then, which would look like a network error.
 */
const IDLE = 1000

/**
 * Starts a push agent; it registers and attests until it is stopped, also after faults.
 *
 * @throws {StartFault} its settings cannot be used, or its TPM is not there
 */
export async function startPushAgent(
  config: PushAgentConfig,
  surroundings: PushAgentSurroundings = {},
): Promise<RunningPushAgent> {
  const { parts = PUSH_AGENT_PARTS, clock = systemWaitingClock } = surroundings
  const { random = systemRandom, log = createLog(config.log_level) } = surroundings
  const servers = serversOf(config, parts, clock.now())
  const directory = join(config.state_dir, 'push-agent')
  const attester = await attesterOf(parts.openAttester, {
    ...{ config, random, directory },
    environment: process.env,
  })
  const environment = await environmentOf(config, {
    parts,
    servers,
    attester,
    directory,
    clock,
    random,
  }).catch(async (error: unknown) => {
    await attester.close()
    throw error
  })
  const stop = new AbortController()
  const hangUp = () => Object.values(servers).forEach((server) => void server.close())
  const run = async (): Promise<void> => {
    try {
      await runPushAgent(pushDriver(environment, parts), stop.signal, (step) => {
        logStep(log, environment.agentId, step)
        surroundings.onStep?.(step)
      })
    } finally {
      hangUp()
      await attester.close()
    }
  }
  const ended = run()
  return {
    ...{ uuid: environment.agentId, ended },
    async stop() {
      stop.abort()
      hangUp()
      await ended
    },
  }
}

type Servers = Readonly<Record<'verifier' | 'registrar', JsonClient>>

function serversOf(config: PushAgentConfig, { connect }: PushAgentParts, now: number): Servers {
  const limits = { timeoutMs: config.request_timeout, maxBytes: LARGEST_ANSWER }
  const common = { ...limits, connections: 1, idleMs: IDLE }
  const { host, port } = placeOf(config.verifier_url)
  const ca = authoritiesOf(config, 'verifier_tls_ca_cert', now)
  const { registrar_ip, registrar_port, registrar_tls_enabled, registrar_tls_ca_cert } = config
  const registrarCa =
    registrar_tls_ca_cert === 'default' ? ca : authoritiesOf(config, 'registrar_tls_ca_cert', now)
  return {
    verifier: connect({ ...common, host, port, trust: { ca } }),
    registrar: connect({
      ...{ ...common, host: registrar_ip, port: registrar_port },
      ...(registrar_tls_enabled && { trust: { ca: registrarCa } }),
    }),
  }
}

/** A push agent sends its token to the verifier, so it never connects without TLS. */
function placeOf(text: string): { readonly host: string; readonly port: number } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlace =
    url?.protocol === 'https:' && url.pathname === '/' && `${url.search}${url.hash}` === ''
  if (url === undefined || !isPlace || url.username !== '' || url.password !== '')
    throw new StartFault(
      `push-agent setting verifier_url is ${JSON.stringify(text)}: it is no place under https`,
      'write it as --set verifier_url=https://HOST:PORT',
    )
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || '443') }
}

function authoritiesOf(
  config: PushAgentConfig,
  setting: 'verifier_tls_ca_cert' | 'registrar_tls_ca_cert',
  now: number,
): string {
  const { state_dir, [setting]: name } = config
  const inside = name === 'default' ? join('cv_ca', NAMES.ca) : name
  const file = isAbsolute(inside) ? inside : join(state_dir, inside)
  if (existsSync(file)) return loadAuthorities(file, now)
  throw new StartFault(
    `there is no CA at ${file} that the server could be of`,
    `name its file with --set ${setting}=FILE`,
  )
}

interface Inside {
  readonly parts: PushAgentParts
  readonly servers: Servers
  readonly attester: Attester
  readonly directory: string
  readonly clock: WaitingClock
  readonly random: Random
}

async function environmentOf(config: PushAgentConfig, inside: Inside): Promise<PushEnvironment> {
  const { parts, servers, attester, directory, clock, random } = inside
  const { akPublic, ekPublic, ekCertificate, ekKey } = attester
  const [ima, boot] = [imaLog(config.ima_ml_path), bootLog(config.measuredboot_ml_path)]
  const id = agentId({ setting: config.uuid, ekKey, random, file: join(directory, 'uuid') })
  return {
    ...{ ...servers, attester, clock, random, agentId: id, pauses: pausesOf(config) },
    // There is no server whose certificate it could be (ambiguity MTLSPUSH).
    registration: { agentId: id, akPublic, ekPublic, ekCertificate, serverCertificate: 'disabled' },
    registrationRequest: parts.registrationRequest,
    rules: parts.rules,
    registrarVersions: config.registrar_api_versions,
    ...{ imaLog: ima, countIma: countingIma(ima) },
    ...{ bootLog: boot, countBootEvents: countingBootEvents(boot) },
    bootTime: bootTimes(attester, clock, join(directory, 'boot.json')),
    keyName: config.certification_keys_server_identifier,
    subjectForm: config.subject_form,
  }
}

function pausesOf(config: PushAgentConfig): Pauses {
  return {
    initialDelay: config.exponential_backoff_initial_delay,
    maxDelay: config.exponential_backoff_max_delay,
    jitter: config.exponential_backoff_jitter_percent / 100,
    interval: config.attestation_interval_seconds * 1000,
    leastInterval: config.attestation_interval_min_seconds * 1000,
    mostInterval: config.attestation_interval_max_seconds * 1000,
  }
}

function logStep(log: Log, agent: string, step: PushStep): void {
  const { why: _, ...made } = step
  const why = presentWhy(step)
  if (why === undefined) log.info({ agent, ...made }, `${step.from} -> ${step.to}`)
  else log.warn({ agent, ...made }, why)
}
