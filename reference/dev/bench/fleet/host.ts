import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { makeLongList } from '../long-list.ts'
import type { AttestationTimes, HostMessage, HostOrder } from './order.ts'
import { type HostedAgent, startAgent } from './start-agent.ts'
import { startVirtualTpm, type VirtualTpm } from './virtual-tpm.ts'

/**
 * A host of agents, each on a virtual TPM of its own, started by the fleet bench with an order by message. It says when
 * an agent is registered, and on each message what its agents did since; it ends with its parent process.
 */
const { send } = process
if (send === undefined) throw new Error('a host is started by the fleet bench alone')
const say = (said: HostMessage) => {
  if (process.connected) send.call(process, said)
}

/** Agents that are started at the same time; each TPM is a process of its own. */
const LANES = 2
/** What every machine has measured. */
const LIST = makeLongList(20)

const agents: HostedAgent[] = []
const tpms: VirtualTpm[] = []
let attestations: Record<string, AttestationTimes[]> = {}
let troubles: string[] = []

async function startOne(order: HostOrder, imaList: string, at: number): Promise<void> {
  const own = order.agents[at]
  if (own === undefined) return
  const directory = join(order.directory, String(at))
  const tpm = await startVirtualTpm(`${directory}t`, LIST.data)
  tpms.push(tpm)
  mkdirSync(directory, { mode: 0o700 })
  const agent = await startAgent({
    ...{ ...order, order: own, directory, tcti: tpm.tcti, imaList },
    port: own.kind === 'pull' ? await freePort(order.number, at) : 0,
    onAttestation(attestation) {
      attestations[own.agentId] ??= []
      attestations[own.agentId]?.push(attestation)
    },
    onTrouble: (why) => void troubles.push(`${own.kind} agent ${own.agentId}: ${why}`),
  })
  agents.push(agent)
  say({ said: 'started', agent: agent.started, tpm: tpm.pid })
}

const FIRST_PORT = 10_000
const SLICES = 100
const PER_SLICE = 50

/** Below the ports of outgoing connections, of which there are hundreds; in a slice that is this host's. */
async function freePort(host: number, at: number): Promise<number> {
  for (let slice = process.ppid + 7 * host; ; slice++) {
    const port = FIRST_PORT + (slice % SLICES) * PER_SLICE + (at % PER_SLICE)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

async function stopAll(): Promise<void> {
  await Promise.allSettled(agents.map((agent) => agent.stop()))
  await Promise.allSettled(tpms.map((tpm) => tpm.stop()))
}

const [order] = (await once(process, 'message')) as [HostOrder]
const hungUp = once(process, 'disconnect')
process.on('message', () => {
  say({ said: 'done', attestations, troubles })
  attestations = {}
  troubles = []
})
const imaList = join(order.directory, 'list')
writeFileSync(imaList, LIST.evidence.ascii.bytes)
const left = order.agents.keys()
const lane = async () => {
  for (const at of left) if (process.connected) await startOne(order, imaList, at)
}
const starting = Promise.all(Array.from({ length: LANES }, lane)).catch((error: Error) => {
  say({ said: 'failed', why: error.message })
})
// A Ctrl-C reaches every process; the parent handles it and disconnects this one.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
await hungUp
await starting
await stopAll()
process.exit(0)
