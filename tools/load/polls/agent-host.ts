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

/** What a host is told to play. */
export interface HostOrder {
  readonly agentIds: readonly string[]
  /** PEM of the CA of the verifier's client certificate. */
  readonly clientCa: string
}

/** An agent that a host plays, as an administrator adds it. */
export interface HostedAgent {
  readonly agentId: string
  readonly port: number
  readonly certificate: string
  readonly ak: string
}

/** When each agent was polled, in milliseconds since 1970, in the order of the order. */
export type PollTimes = readonly (readonly number[])[]

const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')

/**
 * `assay load agents`: plays some hundred pull agents with software keys, for a parent that talks to it over IPC and
 * ends it by hanging up. Everything that takes long is made before it says that it is ready.
 */
export async function hostAgents(): Promise<number> {
  const { send } = process
  if (send === undefined)
    throw new SetupFault('assay load agents is started by assay load polls alone', {
      next: 'type assay load polls --target FILE',
    })
  const [order] = (await once(process, 'message')) as [HostOrder]
  const played = await play(order)
  send.call(process, played.hosted)
  process.on('message', () => send.call(process, played.times))
  await once(process, 'disconnect')
  await Promise.all(played.agents.map((agent) => agent.close()))
  return 0
}

async function play({ agentIds, clientCa }: HostOrder) {
  const boot = await loadRecordedBoot(BOOT)
  const manufacturer = await createManufacturer({ now: new Date() })
  const times: number[][] = agentIds.map(() => [])
  const starting = agentIds.map(async (agentId, at) => {
    const machine = await stubMachine({ name: agentId, boot, manufacturer })
    const certificate = await makeServerCertificate(agentId, Date.now())
    const agent = await startPullAgent({
      ...{ agentId, machine, certificate, clientCa, versions: ['2.5'], now: Date.now },
      forgetful: true,
      onAsked: ({ poll, at: time }) => poll !== undefined && times[at]?.push(time),
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
