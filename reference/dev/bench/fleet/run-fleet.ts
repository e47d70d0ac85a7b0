import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttestationCounts, countAttestations } from './count-attestations.ts'
import { type FleetAdministrator, fleetAdministrator } from './enrol.ts'
import { type FleetHosts, startHosts } from './hosts.ts'
import type { AgentOrder, AttestationTimes } from './order.ts'
import { type Cost, costOfAll } from './process-cost.ts'
import { type FleetServers, startServers } from './servers.ts'

interface FleetRequest {
  readonly agents: readonly AgentOrder[]
  readonly seconds: number
  /** Seconds. */
  readonly interval: number
}

/** The processes of a fleet, by role. */
export const PARTS = ['verifier', 'registrar', 'agents', 'TPMs'] as const
export type Part = (typeof PARTS)[number]
type Costs = Readonly<Record<Part, Cost>>

/** The measurements of a fleet. */
export interface FleetSeen {
  readonly request: FleetRequest
  readonly counts: Readonly<Record<AgentOrder['kind'], AttestationCounts>>
  readonly ms: number
  /** At the beginning and at the end. */
  readonly costs: readonly [Costs, Costs]
  /** From time to time between the two. */
  readonly looks: readonly { readonly at: number; readonly costs: Costs }[]
  /** Agents that pass according to the verifier. */
  readonly passing: number
  /** Quotes that the verifier took for good from before that time until after it, and those that were answered in it. */
  readonly verified: { readonly counted: number; readonly answered: number }
  readonly troubles: readonly string[]
  /** Processes that outlived the end. */
  readonly left: readonly number[]
}

const LOOKS = 100
const SETTLED_MS = 180_000
const ENDED_MS = 10_000

/** Starts a fleet, has it attest for some time, and ends all of it, however that goes. */
export async function runFleet(
  request: FleetRequest,
  say: (line: string) => void,
  stopped: AbortSignal,
): Promise<FleetSeen> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-'))
  const began = performance.now()
  const since = () => `${((performance.now() - began) / 1000).toFixed(0)} s`
  const servers = await startServers(directory, request.interval)
  const administrator = fleetAdministrator(directory, servers)
  const fleet = {
    request,
    servers,
    administrator,
    hosts: startFleet(request, directory, servers, administrator),
  }
  let seen: Omit<FleetSeen, 'left'>
  try {
    await unlessStopped(fleet.hosts.started, stopped)
    say(`${request.agents.length} agents are registered and added after ${since()}`)
    await settled(fleet, stopped)
    say(`each has attested twice after ${since()}`)
    seen = await watch(fleet, stopped)
  } finally {
    administrator.close()
    await fleet.hosts.stop()
    await servers.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...seen, left: await stillThere(pidsOf(fleet)) }
}

interface Fleet {
  readonly request: FleetRequest
  readonly servers: FleetServers
  readonly administrator: FleetAdministrator
  readonly hosts: FleetHosts
}

/** Each agent is added as soon as it is registered, so that they begin one after the other. */
function startFleet(
  { agents, interval }: FleetRequest,
  directory: string,
  { verifierPort, registrarPort }: FleetServers,
  administrator: FleetAdministrator,
): FleetHosts {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const nodeKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const ca = join(directory, 'cv_ca', 'cacert.crt')
  const order = { directory, ca, verifierPort, registrarPort, nodeKey, interval }
  return startHosts(agents, order, (agent) => administrator.enrol(agent))
}

function unlessStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(stopped.reason as Error)
    if (stopped.aborted) stop()
    stopped.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop))
  })
}

/** Waits until every agent has attested twice, so that start-up work is not measured. */
async function settled(fleet: Fleet, stopped: AbortSignal): Promise<void> {
  const { hosts, request } = fleet
  const counts = new Map<string, number>()
  const troubles: string[] = []
  const isLate = ({ agentId }: AgentOrder) => (counts.get(agentId) ?? 0) < 2
  for (const deadline = Date.now() + SETTLED_MS; Date.now() < deadline; ) {
    const collected = await hosts.collect()
    troubles.push(...collected.troubles)
    for (const [agent, attestations] of collected.attestations)
      counts.set(agent, (counts.get(agent) ?? 0) + attestations.length)
    if (!request.agents.some(isLate)) return
    await delay(500, undefined, { signal: stopped })
  }
  throw new Error(await whyLate(fleet, request.agents.filter(isLate), troubles))
}

async function whyLate(
  { administrator }: Fleet,
  late: readonly AgentOrder[],
  troubles: readonly string[],
): Promise<string> {
  const push = late.filter(({ kind }) => kind === 'push').length
  const [first] = late
  const status = first && JSON.stringify(await administrator.status(first))
  return [
    `${push} push and ${late.length - push} pull agents did not attest twice within ${SETTLED_MS / 1000} s`,
    `the verifier reports for ${first?.kind} agent ${first?.agentId}: ${status}`,
    `${troubles.length} times something went wrong${troubles
      .slice(0, 5)
      .map((one) => `; ${one}`)
      .join('')}`,
  ].join('\n')
}

async function watch(fleet: Fleet, stopped: AbortSignal): Promise<Omit<FleetSeen, 'left'>> {
  const { request, hosts, administrator } = fleet
  const { agents, seconds, interval } = request
  const before = await countOfPulls(fleet)
  await hosts.collect()
  const [from, first] = [Date.now(), costsOf(fleet)]
  const looks: { at: number; costs: Costs }[] = []
  while (Date.now() < from + seconds * 1000) {
    await delay((seconds * 1000) / LOOKS, undefined, { signal: stopped })
    looks.push({ at: Date.now(), costs: costsOf(fleet) })
  }
  const [to, last] = [Date.now(), costsOf(fleet)]
  const { attestations, troubles } = await hosts.collect()
  const counted = (await countOfPulls(fleet)) - before
  const pushed = await eachOf(agents, 'push', (agent) => administrator.passed(agent))
  const pulled = agents.flatMap((agent) =>
    agent.kind === 'pull' ? [attestations.get(agent.agentId) ?? []] : [],
  )
  const countsOf = (all: readonly (readonly AttestationTimes[])[]) =>
    countAttestations(all, [from, to], interval * 1000)
  const counts = { push: countsOf(pushed), pull: countsOf(pulled) }
  return {
    ...{ request, counts, troubles, looks, ms: to - from, costs: [first, last] },
    passing: await countPassing(fleet),
    verified: { counted, answered: counts.pull.attestations },
  }
}

function eachOf<T>(
  agents: readonly AgentOrder[],
  kind: AgentOrder['kind'],
  ask: (agent: AgentOrder) => Promise<T>,
): Promise<readonly T[]> {
  return Promise.all(agents.filter((agent) => agent.kind === kind).map(ask))
}

async function countOfPulls({ request, administrator }: Fleet): Promise<number> {
  const all = await eachOf(request.agents, 'pull', (agent) => administrator.status(agent))
  return all.reduce((sum, { attestation_count }) => sum + attestation_count, 0)
}

async function countPassing({ request, administrator }: Fleet): Promise<number> {
  const all = await Promise.all(request.agents.map((agent) => administrator.status(agent)))
  return all.filter(({ attestation_status }) => attestation_status === 'PASS').length
}

function costsOf({ servers, hosts }: Fleet): Costs {
  return {
    verifier: costOfAll([servers.verifier]),
    registrar: costOfAll([servers.registrar]),
    agents: costOfAll(hosts.pids),
    TPMs: costOfAll(hosts.tpms),
  }
}

function pidsOf({ servers, hosts }: Fleet): readonly number[] {
  return [servers.verifier, servers.registrar, ...hosts.pids, ...hosts.tpms]
}

async function stillThere(pids: readonly number[]): Promise<readonly number[]> {
  let left = pids
  for (const deadline = Date.now() + ENDED_MS; Date.now() < deadline; await delay(100)) {
    left = left.filter((pid) => existsSync(`/proc/${pid}`))
    if (left.length === 0) break
  }
  return left
}
