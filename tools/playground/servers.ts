import { compareVersions, prefixesOf } from '../../conformance/catalogue/routes/operations.ts'
import {
  type Administrator,
  type AdministratorReply,
  type AdministratorRequest,
  administratorOf,
} from '../../conformance/client/administrator.ts'
import type { Dialect } from '../../conformance/dialects/dialect.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { chooseDialect } from '../../conformance/target/choose-dialect.ts'
import type { Deployment } from '../../conformance/target/deployment/deployment.ts'
import type { ServiceRole, Target } from '../../conformance/target/target.ts'

/** Members of the registrar's agent record (interface document, "Registrar agent record"). */
export interface RegistrarRecord {
  readonly aik_tpm: string
  readonly mtls_cert?: string | null
  readonly regcount?: number
}

/** The verifier's status record; members that the version does not have are absent. */
export type StatusRecord = Readonly<Record<string, unknown>>

/** The latest attestation of a push agent. */
export interface LatestAttestation {
  readonly id: string
  readonly evaluation?: string
  readonly failure_reason?: string | null
}

/** An administrator's client for registrar and verifier. */
export interface Servers {
  readonly dialect: Dialect
  /** Newest 2.x version in the target file; undefined if there is none. */
  readonly pullVersion: string | undefined
  /** The registrar's record of an agent; undefined before its registration. */
  registration(agentId: string): Promise<RegistrarRecord | undefined>
  addAgent(agentId: string, body: object): Promise<void>
  reactivate(agentId: string): Promise<void>
  /** The status record of an agent; undefined if the verifier does not know it. */
  status(agentId: string): Promise<StatusRecord | undefined>
  /** The latest attestation; undefined if there is none. */
  latestAttestation(agentId: string): Promise<LatestAttestation | undefined>
  close(): void
}

const AT_ONCE = 4

/** Returns a client for both servers, with the newest 2.x version of the target file for pull agents and 3.0 for push agents. */
export function serversOf(target: Target, deployment: Deployment): Servers {
  const dialect = chooseDialect(target.dialect)
  const url = (role: ServiceRole) => urlOf(deployment, target, role)
  const verifier = administratorOf(target, url('verifier'), AT_ONCE)
  const registrar = administratorOf(target, url('registrar'), AT_ONCE)
  const pullVersion = newestPull(target.versions)
  const managed = pullVersion ?? '3.0'
  const path = (role: ServiceRole, version: string, rest: string) =>
    `${prefixesOf(role, version, dialect)[0]}/agents/${rest}`
  const atVerifier = (rest: string, version = managed) => path('verifier', version, rest)
  return {
    ...{ dialect, pullVersion },
    async registration(agentId) {
      const response = await registrar.ask({
        method: 'GET',
        path: path('registrar', managed, agentId),
      })
      return response.status === 200 ? resultsOf<RegistrarRecord>(response) : undefined
    },
    addAgent: (agentId, body) =>
      send(verifier, { method: 'POST', path: atVerifier(agentId), body }, 'adding the agent'),
    reactivate: (agentId) =>
      send(verifier, { method: 'PUT', path: atVerifier(`${agentId}/reactivate`) }, 'reactivating'),
    async status(agentId) {
      const response = await verifier.ask({ method: 'GET', path: atVerifier(agentId) })
      return response.status === 200 ? resultsOf<StatusRecord>(response) : undefined
    },
    async latestAttestation(agentId) {
      const latest = atVerifier(`${agentId}/attestations/latest`, '3.0')
      const response = await verifier.ask({ method: 'GET', path: latest })
      return response.status === 200 ? attestationOf(response) : undefined
    },
    close() {
      verifier.close()
      registrar.close()
    },
  }
}

function urlOf({ roles }: Deployment, { file }: Target, role: ServiceRole): string {
  const url = roles[role]?.url
  if (url !== undefined) return url
  throw new SetupFault(`${file} has no ${role}, which a playground requires`, {
    next: `add roles.${role} to it`,
  })
}

function newestPull(versions: readonly string[]): string | undefined {
  return versions
    .filter((version) => version.startsWith('2.'))
    .toSorted(compareVersions)
    .at(-1)
}

async function send(
  administrator: Administrator,
  request: AdministratorRequest,
  what: string,
): Promise<void> {
  const response = await administrator.ask(request)
  if (response.status < 300) return
  throw new SetupFault(
    `${what} failed with HTTP ${response.status}: ${response.body.slice(0, 200)}`,
    { next: 'read the log of the verifier' },
  )
}

function resultsOf<T>({ body }: AdministratorReply): T {
  return (JSON.parse(body) as { readonly results: T }).results
}

interface AttestationDocument {
  readonly data: {
    readonly id: string
    readonly attributes: Omit<LatestAttestation, 'id'>
  }
}

function attestationOf({ body }: AdministratorReply): LatestAttestation {
  const { id, attributes } = (JSON.parse(body) as AttestationDocument).data
  const { evaluation, failure_reason } = attributes
  return { id, ...(evaluation && { evaluation }), ...(failure_reason && { failure_reason }) }
}
