import { once } from 'node:events'
import { join } from 'node:path'
import { base64 } from '../../../conformance/client/bytes.ts'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { startPullAgent } from '../../../simulator/agents/pull-agent.ts'
import { makeServerCertificate } from '../../../simulator/agents/server-certificate.ts'
import { stubMachine } from '../../../simulator/machine/stub-machine.ts'
import { loadRecordedBoot } from '../../../simulator/platform/recorded-boot.ts'
import { createManufacturer } from '../../../simulator/swtpm/manufacturer.ts'

/** Message to a host process: the agents to start. */
export interface HostOrder {
  readonly agentIds: readonly string[]
  /** PEM of the CA of the verifier's client certificate. */
  readonly clientCa: string
}

/** An agent of a host process, with the data that an administrator needs to add it. */
export interface HostedAgent {
  readonly agentId: string
  readonly port: number
  readonly certificate: string
  readonly ak: string
}

/** Times at which each agent was polled, in milliseconds since 1970, in the order of `agentIds`. */
export type PollTimes = readonly (readonly number[])[]

const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')

/**
 * `assay load agents`: runs some hundred pull agents with software keys, for a parent process that controls it over IPC
 * and ends it by disconnecting. Keys and certificates are made before the first message to the parent.
 */
export async function hostAgents(): Promise<number> {
  const { send } = process
  if (send === undefined)
    throw new SetupFault('assay load agents can only be started by assay load polls', {
      next: 'run assay load polls --target FILE',
    })
  const [order] = (await once(process, 'message')) as [HostOrder]
  const started = await startAgents(order)
  send.call(process, started.hosted)
  process.on('message', () => send.call(process, started.times))
  await once(process, 'disconnect')
  await Promise.all(started.agents.map((agent) => agent.close()))
  return 0
}

async function startAgents({ agentIds, clientCa }: HostOrder) {
  const boot = await loadRecordedBoot(BOOT)
  const manufacturer = await createManufacturer({ now: new Date() })
  const times: number[][] = agentIds.map(() => [])
  const starting = agentIds.map(async (agentId, at) => {
    const machine = await stubMachine({ name: agentId, boot, manufacturer })
    const certificate = await makeServerCertificate(agentId, Date.now())
    const agent = await startPullAgent({
      ...{ agentId, machine, certificate, clientCa, versions: ['2.5'], now: Date.now },
      forgetful: true,
      onAgentRequest: ({ poll, at: time }) => poll !== undefined && times[at]?.push(time),
    })
    const ak = base64(machine.ak.public)
    return {
      agent,
      hosted: { agentId, port: agent.port, certificate: certificate.certificate, ak },
    }
  })
  const started = await Promise.all(starting)
  return {
    times,
    agents: started.map(({ agent }) => agent),
    hosted: started.map(({ hosted }): HostedAgent => hosted),
  }
}
