import { mkdirSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { outliveAnswer } from '../../simulator/agents/http/outlive-answer.ts'
import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import type { Registration } from '../../simulator/services/registrar-truth.ts'
import {
  lastRefusal,
  type Misbehaviour,
  type ScriptedRegistrar,
  startRegistrar,
} from '../../simulator/services/scripted-registrar.ts'
import type { Exchange } from '../../simulator/services/service.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { deferred } from '../attempt/deferred.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { presentDuration } from '../input/duration.ts'
import {
  type StartedSubject,
  type SubjectEnding,
  startSubject,
  subjectOf,
} from '../target/deployment/start-subject.ts'
import { fillIn } from '../target/placeholders.ts'
import { freePorts, isListening } from '../target/processes/free-port.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { lastOutput } from '../target/processes/spawn-recorded.ts'
import type { PullAgentWord } from '../target/subject-placeholders.ts'
import type { Target } from '../target/target.ts'
import { type AgentHost, hostWords, startHost } from './agent-host.ts'
import { type CommandTrigger, commandTrigger, startAgentMachine } from './agent-machine.ts'
import { agentWords, type FoundByAgent } from './agent-placeholders.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import { type LogFiles, noLogFiles, writeLogFiles } from './log-files.ts'
import { requireWords, writeDefaultFiles } from './subject-words.ts'

export interface PullAgentParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
}

export interface PullAgentOptions {
  readonly id: string
  /** Name of machine and directory: short and unique. */
  readonly name: string
  /** Its UUID has capital letters. */
  readonly capitals?: true
  /** Runs on the machine before the agent starts. */
  readonly script?: Script
  /** The first answers of the simulated registrar. */
  readonly misbehave?: readonly Misbehaviour[]
  /** API versions of the simulated registrar. */
  readonly registrarVersions?: readonly string[]
  /** The NV index of its EK certificate is larger than the certificate. */
  readonly largeCertificateIndex?: true
  /** The files of measurement list and firmware log do not exist. */
  readonly withoutLogs?: true
  /** It is started with the settings of TLS at their defaults. */
  readonly defaultTls?: true
  /** Its TPM is virtual, and it has that of its host; or its keys and hashes have other algorithms. */
  readonly ending?: SubjectEnding
}

/** Receives TPM commands and registrar exchanges of an agent, for the transcript of the current scenario. */
export interface Listener {
  command(machine: string, record: CommandRecord): void
  exchange(exchange: Exchange): void
}

/** The process of the agent under test, with its machine and its registrar. */
export interface PullAgentProcess extends Pick<CommandTrigger, 'afterCommand' | 'forget'> {
  readonly id: string
  readonly port: number
  readonly machine: Machine
  /** Its host, if its TPM is virtual. */
  readonly host?: AgentHost | undefined
  readonly registrar: ScriptedRegistrar
  readonly logs: LogFiles
  /** The current process; a restart replaces it. */
  readonly process: StartedSubject
  /** Path of a delivered payload; undefined if the target file does not set it. */
  readonly payloadFile: string | undefined
  /** Sets the listener of machine and registrar; initially none. */
  listenWith(listener: Listener | undefined): void
  registration(): Registration | undefined
  /** Waits until the agent is active and answers. @throws {PrerequisiteFailed} if it exits, or does not answer in time */
  ready(): Promise<void>
  /** Whether an HTTPS server answers at the agent's port. */
  serves(): Promise<boolean>
  /** Stops the process, and starts it again in the same directory; does not wait for the agent. */
  restart(): Promise<void>
  /** Stops the agent, its registrar and its machine. */
  close(): Promise<void>
}

const POLL_MS = 25

const ATTEMPT_MS = 3000

/** Starts a machine, a registrar and the target file's pull agent; does not wait for the agent. */
export async function startPullAgent(
  parts: PullAgentParts,
  options: PullAgentOptions,
): Promise<PullAgentProcess> {
  const { id, name, script = [], misbehave = [], registrarVersions, withoutLogs } = options
  const { defaultTls, ending } = options
  if (defaultTls) requireWords(parts.target, 'pull_agent', 'defaultTls')
  if (ending) requireWords(parts.target, 'pull_agent', ending)
  const { run, factory, authority, target } = parts
  let current: Listener | undefined
  const trigger = commandTrigger()
  const machine = await startAgentMachine({
    ...factory,
    name,
    largeCertificateIndex: options.largeCertificateIndex,
    onCommand: (record) => {
      current?.command(name, record)
      trigger.see(record)
    },
  })
  const undo = [() => machine.close()]
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    await machine.play(script)
    const registrar = await startRegistrar({
      endorsementKey: machine.ek.public,
      tls: {
        ca: authority.issuer.certificate,
        certificate: authority.server.certificate,
        key: authority.server.key,
      },
      onExchange: (exchange) => current?.exchange(exchange),
      ...(registrarVersions && { versions: registrarVersions }),
    })
    undo.push(() => registrar.close())
    registrar.misbehave(misbehave)
    const hostParts = {
      factory,
      authority,
      name: `${name}h`,
      versions: registrarVersions ?? ['2.0'],
    }
    const onClose = (step: () => Promise<void>) => void undo.push(step)
    const hasHost = ending === 'withHost'
    const host = hasHost ? await startHost({ ...hostParts, onClose }) : undefined
    // An agent that registers 15 bits of its port registers another one.
    const [port = 0] = await freePorts(1, 'high')
    const directory = join(run.path, 'agents', name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const logs = withoutLogs ? noLogFiles(directory) : writeLogFiles(machine, directory)
    const words = await wordsOf({ id, port, directory, machine, registrar, logs, authority, host })
    if (defaultTls) writeDefaultFiles(words['agent.dir'], authority)
    const surroundings = {
      agentId: id,
      tpm: words.tpm,
      ca: authority.files.ca,
      words,
      defaultTls,
      ending,
    }
    const start = () => startSubject(target, run, 'pull_agent', surroundings)
    let process = await start()
    undo.push(() => process.stop())
    const payload = subjectOf(target, 'pull_agent')?.payload
    const payloadFile = payload && fillIn(payload, words)
    const agent = { id, port, machine, host, registrar, logs, payloadFile, close }
    return {
      ...agent,
      get process() {
        return process
      },
      listenWith(listener) {
        current = listener
      },
      ...{ afterCommand: trigger.afterCommand, forget: trigger.forget },
      registration: () => registrar.registrationOf(id),
      ready: () => awaitReady({ ...agent, process }, authority),
      serves: () => answers(port, authority),
      async restart() {
        await process.stop()
        process = await start()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Found extends FoundByAgent {
  readonly port: number
  readonly host: AgentHost | undefined
}

/** Values of the target file placeholders. */
async function wordsOf(found: Found): Promise<Readonly<Record<PullAgentWord, string>>> {
  const more = { 'agent.port': String(found.port), ...(await hostWords(found.host)) }
  return { ...(await agentWords(found)), ...more }
}

type Awaited = Pick<PullAgentProcess, 'id' | 'port' | 'process'> & {
  readonly registrar: ScriptedRegistrar
}

async function awaitReady(agent: Awaited, authority: HarnessAuthority): Promise<void> {
  const { process, port, registrar, id } = agent
  const isActive = () => {
    const { activated = false, deepQuote } = registrar.registrationOf(id) ?? {}
    return activated !== false || deepQuote !== undefined
  }
  const isUp = async () =>
    process.exitReason() !== undefined || (isActive() && (await answers(port, authority)))
  const up = await until(isUp, { withinMs: process.withinMs, everyMs: POLL_MS })
  const exitReason = process.exitReason()
  if (exitReason === undefined && (up || (await answers(port, authority)))) return
  const refusal = lastRefusal(registrar)
  const wrote = `${lastOutput(process)}${refusal === undefined ? '' : `; ${refusal}`}`
  if (exitReason !== undefined)
    throw new PrerequisiteFailed(`the agent ${exitReason} before it was ready: ${wrote}`)
  const within = presentDuration(process.withinMs)
  throw new PrerequisiteFailed(
    `the agent did not answer at port ${port} within ${within}: ${wrote}`,
  )
}

/** Whether an HTTPS server answers at the port. Only an open port is asked: TLS costs more than what it tells about a closed one. */
async function answers(port: number, { admin }: HarnessAuthority): Promise<boolean> {
  if (!(await isListening(port))) return false
  const { promise, resolve } = deferred<boolean>()
  const probe = request({
    host: '127.0.0.1',
    port,
    path: '/version',
    agent: false,
    // Scenarios check the certificate; here the agent only has to be up.
    rejectUnauthorized: false,
    cert: admin.certificate?.cert,
    key: admin.certificate?.key,
    timeout: ATTEMPT_MS,
  })
  probe.once('response', (response) => {
    response.resume()
    resolve(true)
  })
  probe.once('timeout', () => probe.destroy())
  probe.once('socket', outliveAnswer)
  probe.once('error', () => resolve(false))
  probe.once('close', () => resolve(false))
  probe.end()
  return promise
}
