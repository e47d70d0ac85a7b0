import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { agentId } from '../agent/agent-id.ts'
import { type Attester, openAttester } from '../agent/attester/attester.ts'
import { attesterOf } from '../agent/attester/attester-of.ts'
import { bootstrapKeys } from '../agent/keys/bootstrap-keys.ts'
import { loadServerCertificate } from '../agent/load-server-certificate.ts'
import { bootLog } from '../agent/logs/boot-log.ts'
import { imaLog } from '../agent/logs/ima-log.ts'
import { loadNodeKey, type NodeKey } from '../agent/node-key.ts'
import { type Afterwards, afterwards } from '../agent/pull/afterwards.ts'
import { type AgentRules, agentRules } from '../agent/pull/agent-rules.ts'
import { agentOperations } from '../agent/pull/operations.ts'
import {
  REGISTRATION_REQUEST,
  type Registration,
} from '../agent/registration/registration-request.ts'
import type { ReplyShape } from '../api/reply-shape.ts'
import { AGENT_ROUTES, type AgentOperation } from '../api/routes/agent.ts'
import type { Route } from '../api/routes/route.ts'
import { type Peer, trustedClientOf } from '../authorization/identity.ts'
import { simpleProvider } from '../authorization/simple.ts'
import type { AgentConfig } from '../config/config.ts'
import { StartFault } from '../errors.ts'
import { httpLimitsOf } from '../http-server/limits/http-limits.ts'
import { createServer, type Server } from '../http-server/server.ts'
import { replyToUnknownAgentPath } from '../http-server/unknown-agent-path.ts'
import type { Credential } from '../pki/authority.ts'
import { loadAuthorities } from '../pki/tls-files.ts'
import { NAMES } from '../pki/tls-names.ts'
import { createLog } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { hostOf, registerOn } from './agent-host.ts'
import type { Component } from './component.ts'
import { COMMON_PARTS, type CommonParts } from './server-parts.ts'

/** How an agent authorizes its clients. */
export interface AgentDoor {
  /** Whether a handshake without a client certificate fails, so that strangers reach nothing (CVE-2021-43310). */
  readonly refusesStrangers: boolean
  /** By which name a client may ask; undefined when it may not. */
  readonly nameOf: (peer: Peer) => string | undefined
}

/** The parts of a pull agent that a mutant may replace; the shipped program uses `AGENT_PARTS`. */
export interface ComposedAgentParts extends CommonParts {
  readonly agentRoutes: readonly Route<AgentOperation>[]
  readonly agentRules: AgentRules
  readonly agentOperations: typeof agentOperations
  readonly registrationRequest: ReplyShape<Registration>
  /** Opens the TPM operations of the agent. */
  readonly openAttester: typeof openAttester
  readonly agentDoor: AgentDoor
  readonly unknownAgentPath: typeof replyToUnknownAgentPath
}

export const AGENT_PARTS: ComposedAgentParts = {
  ...COMMON_PARTS,
  agentRoutes: AGENT_ROUTES,
  agentRules,
  agentOperations,
  registrationRequest: REGISTRATION_REQUEST,
  openAttester,
  agentDoor: { refusesStrangers: true, nameOf: trustedClientOf },
  unknownAgentPath: replyToUnknownAgentPath,
}

/** An agent that is registered and activated, and ready to listen. */
export async function composeAgent(
  config: AgentConfig,
  parts: ComposedAgentParts,
): Promise<Component> {
  const log = createLog(config.log_level)
  const directory = join(config.state_dir, 'agent')
  const now = parts.clock.now()
  const ca = loadClientCa(config, now)
  const attester = await attesterOf(parts.openAttester, {
    ...{ config, directory, random: parts.random, environment: process.env },
  })
  let host: Attester | undefined
  try {
    host = await hostOf(config, parts, directory)
    const self = await introduce(config, { directory, attester, random: parts.random, now })
    const later = afterwards(config, directory, parts.agentRules, log)
    const server = serverOf(config, parts, { ...self, attester, host, ca, later, log })
    await registerOn(host, {
      ...{ config, attester, agentId: self.uuid, serverCertificate: self.tls.certificate },
      ca: registrarCaOf(config, ca, now),
      form: parts.registrationRequest,
      warn: (sentence) => log.warn(sentence),
    })
    log.info(`agent ${self.uuid} is registered`)
    return {
      server,
      async close() {
        await server.close()
        await later.close()
        await Promise.all([attester.close(), host?.close()])
      },
    }
  } catch (error) {
    await Promise.all([attester.close(), host?.close()])
    throw error
  }
}

/** The key and certificate of an agent, created at its first start. */
interface Self {
  readonly uuid: string
  readonly tls: Credential
  readonly nodeKey: NodeKey
}

interface Places {
  readonly directory: string
  readonly attester: Attester
  readonly random: Random
  readonly now: number
}

async function introduce(config: AgentConfig, places: Places): Promise<Self> {
  const { directory, attester, random, now } = places
  const { ekKey } = attester
  const uuid = agentId({ setting: config.uuid, ekKey, random, file: join(directory, 'uuid') })
  const tls = await loadServerCertificate({
    ...{ directory, agentId: uuid, contactIp: config.contact_ip, now },
    ...{ certificate: config.server_cert, key: config.server_key },
  })
  return { uuid, tls, nodeKey: await loadNodeKey(join(directory, 'payload-private.pem')) }
}

interface Serving extends Self {
  readonly attester: Attester
  readonly host: Attester | undefined
  /** PEM of the authorities that clients may be of. */
  readonly ca: string
  readonly later: Afterwards
  readonly log: ReturnType<typeof createLog>
}

function serverOf(config: AgentConfig, parts: ComposedAgentParts, serving: Serving): Server {
  const { uuid, attester, host, nodeKey, tls, ca, later, log } = serving
  const { clock, agentRules: rules } = parts
  return createServer({
    ...{ tls: { ...tls, ca }, clock, log },
    refusesStrangers: parts.agentDoor.refusesStrangers,
    routes: parts.mountRoutes(parts.agentRoutes, config.api_versions),
    operations: parts.agentOperations({
      ...{ uuid, attester, host, nodeKey, rules },
      keys: bootstrapKeys(rules.keys, uuid),
      deliver: (delivery) => later.deliver(delivery),
      takeRevocation: (revocation) => later.takeRevocation(revocation),
      warn: (sentence) => log.warn(sentence),
      ...{ versions: config.api_versions, zlib: config.zlib_quotes },
      ...{ imaLog: imaLog(config.ima_ml_path), bootLog: bootLog(config.measuredboot_ml_path) },
    }),
    // Clients authenticate with a certificate only: tokens belong to the verifier.
    identify: async ({ peer }) => {
      const name = parts.agentDoor.nameOf(peer)
      return name === undefined ? { type: 'anonymous' } : { type: 'admin', name }
    },
    authorization: simpleProvider(),
    limits: httpLimitsOf(config),
    rules: { ...parts.httpRules, replyToUnknownPath: parts.unknownAgentPath },
  })
}

/** The CA of the clients of an agent. */
function loadClientCa(config: AgentConfig, now: number): string {
  const file = placeOf(config, config.trusted_client_ca)
  if (existsSync(file)) return loadAuthorities(file, now)
  throw new StartFault(
    `there is no CA at ${file} that verifier and tenant could be of`,
    "name the file of the verifier's CA with --set trusted_client_ca=FILE, or its directory's parent with --set state_dir=DIRECTORY",
  )
}

/** The CA of the servers is where the verifier of this machine writes it, or in a file below the state directory. */
function placeOf({ state_dir }: AgentConfig, setting: string): string {
  if (setting === 'default') return join(state_dir, 'cv_ca', NAMES.ca)
  return isAbsolute(setting) ? setting : join(state_dir, setting)
}

function registrarCaOf(config: AgentConfig, clientCa: string, now: number): string {
  const { registrar_tls_ca_cert: setting } = config
  return setting === 'default' ? clientCa : loadAuthorities(placeOf(config, setting), now)
}
