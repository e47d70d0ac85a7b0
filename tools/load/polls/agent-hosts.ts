import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import type { RunDirectory } from '../../../conformance/target/processes/run-directory.ts'
import type { HostedAgent, HostOrder, PollTimes } from './agent-host.ts'

/** Agents per host process: one core can serve this many while the verifier runs. */
const PER_HOST = 250
const READY_MS = 120_000
const ASSAY = join(packageRoot(), 'bin', 'assay.js')

/** Host processes with pull agents. */
export interface AgentHosts {
  readonly agents: readonly HostedAgent[]
  /** Times of all polls so far. */
  times(): Promise<PollTimes>
  /** Disconnects from the processes and waits for their end. */
  close(): Promise<void>
}

/** Starts enough hosts for the agents; resolves once all agents listen. */
export async function openAgentHosts(
  agentIds: readonly string[],
  clientCa: string,
  run: RunDirectory,
): Promise<AgentHosts> {
  const orders = inParts(agentIds, PER_HOST)
  const hosts = orders.map(() => startHost(run))
  const ready = orders.map((part, at) =>
    ask<readonly HostedAgent[]>(hosts[at], { agentIds: part, clientCa }),
  )
  const agents = (await Promise.all(ready)).flat()
  return {
    agents,
    times: async () => (await Promise.all(hosts.map((host) => ask<PollTimes>(host, {})))).flat(),
    close: async () => {
      const ended = hosts.map((host) => (host.exitCode === null ? once(host, 'exit') : undefined))
      for (const host of hosts) if (host.connected) host.disconnect()
      await Promise.all(ended)
    },
  }
}

function inParts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

function startHost(run: RunDirectory): ChildProcess {
  const host = spawn(process.execPath, [ASSAY, 'load', 'agents'], {
    env: { ...process.env, ...run.environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (host.pid !== undefined) run.record(host.pid, 'agent host')
  return host
}

/** Sends a message to a host and returns its reply. */
async function ask<Answer>(
  host: ChildProcess | undefined,
  message: HostOrder | object,
): Promise<Answer> {
  if (host === undefined) throw new TypeError('no host process for this part of the agents')
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), READY_MS)
  const answered = once(host, 'message', { signal: stop.signal })
  const ended = once(host, 'exit', { signal: stop.signal }).then(([code]) => {
    throw new SetupFault(`a host process of pull agents exited with code ${code}`, {
      next: 'read its output above',
    })
  })
  host.send(message)
  try {
    const [answer] = await Promise.race([answered, ended])
    return answer as Answer
  } finally {
    clearTimeout(timer)
    stop.abort()
    await Promise.allSettled([answered, ended])
  }
}
