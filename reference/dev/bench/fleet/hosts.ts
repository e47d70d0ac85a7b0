import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { developmentProgram } from '../../testing/development-program.ts'
import type { AgentOrder, AttestationTimes, HostMessage, HostOrder, StartedAgent } from './order.ts'

/** All hosts of a fleet. */
export interface FleetHosts {
  readonly pids: readonly number[]
  /** Of the virtual TPMs that were started so far. */
  readonly tpms: readonly number[]
  /** Resolves when every agent is registered, and `onStarted` is done with it. @throws one could not be started */
  readonly started: Promise<void>
  /** The attestations of the agents since the last call, and their errors. */
  collect(): Promise<Collected>
  /** Hangs up, and waits for the hosts to end with everything they started. */
  stop(): Promise<void>
}

interface Collected {
  readonly attestations: ReadonlyMap<string, readonly AttestationTimes[]>
  readonly troubles: readonly string[]
}

/** Agents of one host process. */
const PER_HOST = 50
const [FILE = '', ...WORDS] = developmentProgram('reference/dev/bench/fleet/host.ts')

/** Starts as many hosts as the agents need; each agent is handed to `onStarted` once it is registered. */
export function startHosts(
  agents: readonly AgentOrder[],
  order: Omit<HostOrder, 'agents' | 'number' | 'directory'> & { readonly directory: string },
  onStarted: (agent: StartedAgent) => Promise<void>,
): FleetHosts {
  const tpms: number[] = []
  let left = agents.length
  const hosts = Array.from({ length: Math.ceil(agents.length / PER_HOST) }, (_, number) => {
    const directory = join(order.directory, `h${number}`)
    mkdirSync(directory, { mode: 0o700 })
    const host = fork(FILE, WORDS, { execArgv: [], detached: true })
    const own = agents.slice(number * PER_HOST, (number + 1) * PER_HOST)
    host.send({ ...order, number, directory, agents: own } satisfies HostOrder)
    return host
  })
  const started = new Promise<void>((resolve, reject) => {
    if (left === 0) resolve()
    for (const host of hosts) {
      host.once('exit', (code) => reject(new Error(`a host of agents ended with ${code}`)))
      host.on('message', (message: HostMessage) => {
        if (message.said === 'failed') reject(new Error(message.why))
        if (message.said !== 'started') return
        tpms.push(message.tpm)
        onStarted(message.agent).then(() => {
          left -= 1
          if (left === 0) resolve()
        }, reject)
      })
    }
  })
  // A caller that no longer waits gets no result.
  started.catch(() => undefined)
  return {
    ...{ tpms, started },
    pids: hosts.map(({ pid }) => pid ?? 0),
    async collect() {
      const all = await Promise.all(hosts.map(requestAttestations))
      return {
        attestations: new Map(all.flatMap(({ attestations }) => Object.entries(attestations))),
        troubles: all.flatMap(({ troubles }) => troubles),
      }
    },
    stop: async () => void (await Promise.all(hosts.map(hangUp))),
  }
}

type Done = Extract<HostMessage, { readonly said: 'done' }>

function requestAttestations(host: ChildProcess): Promise<Done> {
  return new Promise((resolve, reject) => {
    const hear = (message: HostMessage) => {
      if (message.said !== 'done') return
      host.off('message', hear)
      resolve(message)
    }
    host.on('message', hear)
    host.send('collect', (error) => error && reject(error))
  })
}

async function hangUp(host: ChildProcess): Promise<void> {
  host.removeAllListeners('exit')
  if (host.exitCode !== null || host.signalCode !== null) return
  const ended = once(host, 'exit')
  if (host.connected) host.disconnect()
  await ended
}
