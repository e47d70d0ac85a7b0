import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineFactory } from '../../conformance/client/agents/machine-options.ts'
import { type LogFiles, writeLogFiles } from '../../conformance/peers/log-files.ts'
import {
  type StartedSubject,
  startSubject,
} from '../../conformance/target/deployment/start-subject.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import type { Target } from '../../conformance/target/target.ts'
import { type Machine, startMachine } from '../../simulator/machine/machine.ts'
import { parseScript, type Script } from '../../simulator/machine/script.ts'
import { type Step, settleStep } from '../../simulator/machine/verbs.ts'
import type { AgentKind } from './agent-kinds.ts'
import { openProxy, type Place, type TcpProxy } from './commands/tcp-proxy.ts'
import { type Contact, isListenedTo, openContact } from './contact.ts'
import { tpmStateOf } from './kept-playground.ts'

/** Where the two servers listen. */
export interface ServerPlaces {
  readonly verifier: Place
  readonly registrar: Place
  /** Its port without TLS, where it has one. */
  readonly plainRegistrar?: Place
}

export interface MachineParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly places: ServerPlaces
  /** Whether machines are to go on from their state another time. */
  readonly isKept: boolean
}

/** What a machine of the playground is, and what it was before. */
export interface MachineIdentity {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  /** Of a machine that slept. */
  readonly slept?: { readonly contact: Contact; readonly past: readonly Step[] }
}

/** A machine of the playground, the agent on it, and the cable between them and the servers. */
export interface PlaygroundMachine {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  readonly machine: Machine
  /** Everything that happened to the machine since it was made. */
  readonly past: readonly Step[]
  /** Where a verifier reaches a pull agent: at this end of the cable. */
  readonly contactPort: number
  /** The agent that was started last; undefined before, and once it was stopped. */
  readonly agent: StartedSubject | undefined
  /** Whether its agent was started, and nobody has stopped it since. */
  readonly isToRun: boolean
  readonly isConnected: boolean
  /** Starts the agent; a verifier that looks for it waits until it listens, and so does this, or until it has ended. */
  startAgent(): Promise<void>
  stopAgent(): Promise<void>
  cut(): void
  mend(): void
  /** Has the verifier wait at a machine that is asleep, or about to be; at one that is cut nobody waits. */
  hold(): void
  /** Lets something happen to the machine, and to its logs. */
  play(script: Script): Promise<void>
  /** The machine goes down with its agent, and comes up with it. */
  reboot(): Promise<void>
  /** Ends agent, machine and cable. */
  close(): Promise<void>
}

interface Network {
  readonly verifier: TcpProxy
  readonly registrar: TcpProxy
  readonly plainRegistrar?: TcpProxy
  /** Of these, and of the contact. */
  readonly proxies: readonly TcpProxy[]
}

const LOOPBACK = '127.0.0.1'
/** Milliseconds: a person who looks on does not wait for long. */
const BACKOFF = { backoff: '500', backoff_max: '3000' } as const

async function openNetwork(places: ServerPlaces, contact: TcpProxy): Promise<Network> {
  const proxies = [contact]
  const open = async (to: Place) => {
    const proxy = await openProxy(to)
    proxies.push(proxy)
    return proxy
  }
  return {
    verifier: await open(places.verifier),
    registrar: await open(places.registrar),
    ...(places.plainRegistrar && { plainRegistrar: await open(places.plainRegistrar) }),
    proxies,
  }
}

interface AgentSettings {
  readonly agentId: string
  readonly agentPort: number
  readonly directory: string
  readonly machine: Machine
  readonly logs: LogFiles
  readonly network: Network
}

/** Where the agent finds everything, in the words of a target file; it meets the servers at its end of the cable. */
async function wordsOf(
  room: AgentSettings,
  { tls, time }: Target,
): Promise<Readonly<Record<string, string>>> {
  const { machine, logs, network } = room
  const endpoint = await machine.serveTcp()
  const plain = network.plainRegistrar ?? network.registrar
  return {
    'agent.id': room.agentId,
    'agent.port': String(room.agentPort),
    'agent.dir': room.directory,
    tpm: endpoint.tcti,
    'tpm.host': LOOPBACK,
    'tpm.port': String(endpoint.port),
    ima_log: logs.ima,
    boot_log: logs.boot,
    'registrar.host': LOOPBACK,
    'registrar.port': String(plain.port),
    'registrar.tls_port': String(network.registrar.port),
    'verifier.host': LOOPBACK,
    'verifier.port': String(network.verifier.port),
    client_ca: tls.ca,
    interval: String(Math.max(1, Math.round(time.quoteIntervalMs / 1000))),
    ...BACKOFF,
  }
}

/** Starts or wakes a machine and lays its cable; the agent is not started yet. */
export async function openMachine(
  parts: MachineParts,
  seat: MachineIdentity,
): Promise<PlaygroundMachine> {
  const { target, run, factory, places, isKept } = parts
  const { name, kind, agentId, slept } = seat
  const machine = await startMachine({
    ...{ ...factory, name, ak: 'ecc256' },
    ...(isKept && { state: tpmStateOf(run.path, name) }),
    ...(slept && { past: slept.past }),
  })
  const past: Step[] = [...(slept?.past ?? [])]
  if (machine.beginning === 'booted') past.push(['reboot'])
  const { agentPort, proxy } = slept?.contact ?? (await openContact())
  const network = await openNetwork(places, proxy)
  const directory = join(run.path, 'agents', name)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const logs = writeLogFiles(machine, directory)
  const words = await wordsOf({ agentId, agentPort, directory, machine, logs, network }, target)
  const surroundings = {
    ...{ agentId, words, tpm: words['tpm'] ?? '', ca: target.tls.ca },
    verifierUrl: `https://${LOOPBACK}:${network.verifier.port}`,
    registrarUrl: `https://${LOOPBACK}:${network.registrar.port}`,
  }
  let agent: StartedSubject | undefined
  let isToRun = false
  const start = async () => {
    proxy.hold()
    const started = await startSubject(target, run, `${kind}_agent`, surroundings)
    agent = started
    const { withinMs } = started
    const isOver = () => started.ending() !== undefined
    if (kind === 'pull') await isListenedTo(agentPort, { withinMs, isOver })
    proxy.release()
  }
  const stop = async () => {
    const stopped = agent
    agent = undefined
    await stopped?.stop()
  }
  const opened: PlaygroundMachine = {
    ...{ name, kind, agentId, machine, past, contactPort: proxy.port },
    get agent() {
      return agent
    },
    get isToRun() {
      return isToRun
    },
    get isConnected() {
      return proxy.isOpen
    },
    startAgent() {
      isToRun = true
      return start()
    },
    stopAgent() {
      isToRun = false
      return stop()
    },
    cut: () => network.proxies.forEach((each) => void each.cut()),
    mend: () => network.proxies.forEach((each) => void each.mend()),
    hold: proxy.hold,
    async play(script) {
      for (const step of await Promise.all(parseScript(script).map(settleStep))) {
        await machine.play([step])
        past.push(step)
      }
      logs.sync()
    },
    async reboot() {
      const ran = agent !== undefined
      proxy.hold()
      await stop()
      await opened.play([['reboot']])
      if (ran) await start()
      else proxy.release()
    },
    async close() {
      await opened.stopAgent()
      await Promise.all(network.proxies.map((each) => each.close()))
      await machine.close()
    },
  }
  return opened
}
