import { X509Certificate } from 'node:crypto'
import { jsonClient } from '../../http-client/json-client.ts'
import { type Server, serverOf } from '../peers/server.ts'
import { isPort } from '../ports.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { AddRequest } from './add-request.ts'
import type { Registration } from './registration.ts'

/** Largest answer of an agent in bytes: a quote and a key. */
const MOST_BYTES = 1_048_576

/**
 * The agent as the registrar knows it: exactly the registered certificate is trusted, for this connection alone
 * (interface document, "Certificate requirements").
 *
 * @throws {TenantFault} if its address or its certificate is unknown
 */
export function openAgent(
  tenant: TenantSession,
  request: AddRequest,
  registration: Registration,
): Server {
  const { host, port } = addressOf(request, registration)
  const { config, files, parts, waits } = tenant
  const trust = trustOf(tenant, request, registration)
  const timeoutMs = config.request_timeout * 1000
  const { identity } = files
  const to = { host, port: Number(port), timeoutMs, maxBytes: MOST_BYTES }
  const { agentVersion: agreed } = request
  return serverOf({
    peer: {
      ...{ name: 'agent', address: `${host}:${port}` },
      ...{ option: '--targethost and --targetport', trustStep: OTHER_CERTIFICATE },
    },
    client: jsonClient(trust === undefined ? to : { ...to, trust, identity }),
    ...{ parts, versions: config.api_versions, waits },
    ...(agreed !== undefined && { agreed }),
  })
}

const OTHER_CERTIFICATE =
  'make sure that it is the agent; one with a new certificate has to register again, by a restart'

/** The address of the agent. @throws {TenantFault} if neither the options nor the registrar have one */
export function addressOf(request: AddRequest, { ip, port }: Registration) {
  const address = { host: request.host ?? ip, port: request.port ?? port }
  const { host, port: at } = address
  if (host !== undefined && at !== undefined) return { host, port: checkedPort(request, at) }
  throw new TenantFault(
    'not_found',
    `the address of agent ${request.agentId} is unknown: the registrar has none`,
    'give --targethost HOST and --targetport PORT, or --push-model for a push agent',
  )
}

/** A registrar may store any text as the port. */
function checkedPort({ agentId }: AddRequest, port: string): string {
  if (isPort(port)) return port
  throw new TenantFault(
    'not_found',
    `the address of agent ${agentId} is unknown: its registered port is not a port number`,
    'give --targetport PORT',
  )
}

/** Undefined for an agent without TLS, where the settings let one be added. */
function trustOf({ config }: TenantSession, { agentId }: AddRequest, { mtls_cert }: Registration) {
  if (mtls_cert !== undefined) return { certificate: checkedCertificate(agentId, mtls_cert) }
  if (!config.enable_agent_mtls) return undefined
  throw new TenantFault(
    'identity_not_proven',
    `agent ${agentId} has registered no certificate that it could be known by`,
    'let it serve TLS; --set enable_agent_mtls=False connects without TLS',
  )
}

function checkedCertificate(agentId: string, pem: string): string {
  try {
    new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new TenantFault(
      'identity_not_proven',
      `agent ${agentId} has registered an mtls_cert that is no certificate`,
      'restart it, so that it registers again; assay tenant regstatus shows its registration',
      cause,
    )
  }
}
