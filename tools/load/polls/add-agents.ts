import { administratorOf } from '../../../conformance/client/administrator.ts'
import { SetupFault } from '../../../conformance/input/fault.ts'
import type { LoadedRun } from '../in-run.ts'
import type { HostedAgent } from './agent-host.ts'

/** Agents that were added to the verifier. */
interface AddedAgents {
  readonly msPerAgent: number
  /** Number of agents whose status record shows a passed attestation and no failure. */
  countPassed(): Promise<number>
}

/** Parallel requests of the administrator. */
const AT_ONCE = 4

/** Adds each agent with a `tpm_policy` without PCRs and without other policies, so the verifier requests quotes only. */
export async function addAgents(
  { target, deployment }: LoadedRun,
  agents: readonly HostedAgent[],
): Promise<AddedAgents> {
  const url = deployment.roles.verifier?.url ?? ''
  const { ask } = administratorOf(target, url, AT_ONCE)
  const pathOf = ({ agentId }: HostedAgent) => `/v2.5/agents/${agentId}`
  const began = performance.now()
  await eachAtOnce(agents, async (agent) => {
    const reply = await ask({ method: 'POST', path: pathOf(agent), body: requestOf(agent) })
    if (reply.status === 200) return
    throw new SetupFault(
      `cannot add a pull agent: HTTP ${reply.status}: ${reply.body.slice(0, 200)}`,
      { next: 'check that the verifier of the target file polls agents' },
    )
  })
  return {
    msPerAgent: (performance.now() - began) / agents.length,
    async countPassed() {
      let passed = 0
      await eachAtOnce(agents, async (agent) => {
        const { body } = await ask({ method: 'GET', path: pathOf(agent) })
        if (hasPassed(body)) passed += 1
      })
      return passed
    },
  }
}

function requestOf({ port, certificate, ak }: HostedAgent): object {
  return {
    cloudagent_ip: '127.0.0.1',
    cloudagent_port: port,
    ak_tpm: ak,
    mtls_cert: certificate,
    tpm_policy: JSON.stringify({ mask: '0x0' }),
    runtime_policy: '',
    runtime_policy_name: '',
    ima_sign_verification_keys: '',
    metadata: '{}',
    revocation_key: '',
    accept_tpm_hash_algs: ['sha256'],
    accept_tpm_encryption_algs: ['ecc'],
    accept_tpm_signing_algs: ['ecdsa'],
    supported_version: '2.5',
  }
}

function hasPassed(body: string): boolean {
  const { results } = JSON.parse(body) as {
    readonly results: { readonly attestation_count: number; readonly last_event_id: unknown }
  }
  return results.attestation_count > 0 && results.last_event_id === null
}

async function eachAtOnce<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
