import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBase64 } from '../../../bytes/base64.ts'
import { type JsonReply, jsonClient } from '../../../http-client/json-client.ts'
import { makeLongList } from '../long-list.ts'
import type { AgentOrder, AttestationTimes, StartedAgent } from './order.ts'
import type { FleetServers } from './servers.ts'

/** The verifier's record of an agent. */
interface AgentStatus {
  readonly attestation_status: string
  readonly attestation_count: number
}

/** The administrator of the fleet. */
export interface FleetAdministrator {
  enrol(agent: StartedAgent): Promise<void>
  status(agent: AgentOrder): Promise<AgentStatus>
  /** Attestations of a push agent that passed: when the verdict came, and how long after its capabilities. */
  passed(agent: AgentOrder): Promise<readonly AttestationTimes[]>
  close(): void
}

const POLICY = toBase64(new TextEncoder().encode(makeLongList(20).policyText))

/** @param directory that of the verifier, with the CA */
export function fleetAdministrator(
  directory: string,
  { verifierPort, registrarPort }: Pick<FleetServers, 'verifierPort' | 'registrarPort'>,
): FleetAdministrator {
  const pem = (name: string) => readFileSync(join(directory, 'cv_ca', name), 'utf8')
  const clientOf = (port: number) =>
    jsonClient({
      ...{ host: '127.0.0.1', port, trust: { ca: pem('cacert.crt') } },
      identity: { certificate: pem('client-cert.crt'), key: pem('client-private.pem') },
      ...{ timeoutMs: 60_000, maxBytes: 67_108_864, connections: 4 },
    })
  const [client, registrar] = [clientOf(verifierPort), clientOf(registrarPort)]
  const pathOf = ({ agentId }: AgentOrder) => `/v2.5/agents/${agentId}`
  return {
    async enrol(agent) {
      const record = expect200(await registrar.get(pathOf(agent))) as Registered
      const body = enrolment(agent, record.results.aik_tpm)
      expect200(await client.ask({ method: 'POST', path: pathOf(agent), body }))
    },
    async status(agent) {
      const body = expect200(await client.get(pathOf(agent)))
      return (body as { readonly results: AgentStatus }).results
    },
    async passed({ agentId }) {
      const body = expect200(await client.get(`/v3/agents/${agentId}/attestations`))
      return (body as { readonly data: readonly AttestationItem[] }).data.flatMap(attestationOf)
    },
    close() {
      client.close()
      registrar.close()
    },
  }
}

function expect200({ status, body }: JsonReply): unknown {
  if (status === 200) return body
  throw new Error(`the verifier answered with HTTP ${status}: ${JSON.stringify(body)}`)
}

interface Registered {
  readonly results: { readonly aik_tpm: string }
}

function enrolment({ kind, port, certificate }: StartedAgent, ak_tpm: string): object {
  const contact = {
    ...{ cloudagent_ip: '127.0.0.1', cloudagent_port: port, mtls_cert: certificate },
    ...{ tpm_policy: JSON.stringify({ mask: '0x400' }), supported_version: '2.5' },
  }
  return { ak_tpm, runtime_policy: POLICY, ...(kind === 'pull' && contact) }
}

interface AttestationItem {
  readonly attributes: {
    readonly evaluation: string
    readonly capabilities_received_at: string
    readonly verification_completed_at: string | null
  }
}

function attestationOf({ attributes }: AttestationItem): readonly AttestationTimes[] {
  const { evaluation, capabilities_received_at: from, verification_completed_at: to } = attributes
  if (evaluation !== 'pass' || to === null) return []
  const [began, ended] = [Date.parse(from), Date.parse(to)]
  return [[ended, ended - began]]
}
