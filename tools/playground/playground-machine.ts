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

/** Addresses of the two servers. */
export interface ServerPlaces {
  readonly verifier: Place
  readonly registrar: Place
  /** The registrar's port without TLS, if it has one. */
  readonly plainRegistrar?: Place
}

export interface MachineParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly places: ServerPlaces
  /** Whether the state of the machines is kept. */
  readonly isKept: boolean
}

/** Name, agent and earlier state of a machine. */
interface MachineIdentity {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  /** State of a kept machine. */
  readonly slept?: { readonly contact: Contact; readonly past: readonly Step[] }
}

/** A machine of the playground, its agent, and the proxies between them and the servers. */
export interface PlaygroundMachine {
  readonly name: string
  readonly kind: AgentKind
  readonly agentId: string
  readonly machine: Machine
  /** All script steps since the machine was created. */
  readonly past: readonly Step[]
  /** Port of the proxy at which the verifier reaches a pull agent. */
  readonly contactPort: number
  /** The running agent; undefined before its start and after its stop. */
  readonly agent: StartedSubject | undefined
  /** Whether the agent was started and not stopped by a command. */
  readonly shouldRun: boolean
  readonly isConnected: boolean
  /** Starts the agent and waits until it listens or has exited; the verifier's connections wait as well. */
  startAgent(): Promise<void>
  stopAgent(): Promise<void>
  cut(): void
  mend(): void
  /** Lets connections of the verifier wait while the machine sleeps; no effect while the network is cut. */
  hold(): void
  /** Runs a script on the machine and updates its logs. */
  play(script: Script): Promise<void>
  /** Reboots the machine and restarts its agent. */
  reboot(): Promise<void>
  /** Ends agent, machine and proxies. */
  close(): Promise<void>
}

interface Network {
  readonly verifier: TcpProxy
  readonly registrar: TcpProxy
  readonly plainRegistrar?: TcpProxy
  /** All proxies, including the contact. */
  readonly proxies: readonly TcpProxy[]
}

const LOOPBACK = '127.0.0.1'
/** Milliseconds; short, because the user waits for the agent. */
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

/** Values of the target file's placeholders for an agent; the servers' addresses are those of the proxies. */
async function placeholdersOf(
  settings: AgentSettings,
  { tls, time }: Target,
): Promise<Readonly<Record<string, string>>> {
  const { machine, logs, network } = settings
  const endpoint = await machine.serveTcp()
  const plain = network.plainRegistrar ?? network.registrar
  return {
    'agent.id': settings.agentId,
    'agent.port': String(settings.agentPort),
    'agent.dir': settings.directory,
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

/** Starts or resumes a machine and opens its proxies, without its agent. */
export async function openMachine(
  parts: MachineParts,
  identity: MachineIdentity,
): Promise<PlaygroundMachine> {
  const { target, run, factory, places, isKept } = parts
  const { name, kind, agentId, slept } = identity
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
  const words = await placeholdersOf(
    { agentId, agentPort, directory, machine, logs, network },
    target,
  )
  const surroundings = {
    ...{ agentId, words, tpm: words['tpm'] ?? '', ca: target.tls.ca },
    verifierUrl: `https://${LOOPBACK}:${network.verifier.port}`,
    registrarUrl: `https://${LOOPBACK}:${network.registrar.port}`,
  }
  let agent: StartedSubject | undefined
  let shouldRun = false
  const start = async () => {
    proxy.hold()
    const started = await startSubject(target, run, `${kind}_agent`, surroundings)
    agent = started
    const { withinMs } = started
    const isOver = () => started.exitReason() !== undefined
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
    get shouldRun() {
      return shouldRun
    },
    get isConnected() {
      return proxy.isOpen
    },
    startAgent() {
      shouldRun = true
      return start()
    },
    stopAgent() {
      shouldRun = false
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
