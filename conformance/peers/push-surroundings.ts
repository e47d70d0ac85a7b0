import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import {
  type Misbehaviour,
  type ScriptedRegistrar,
  startRegistrar,
} from '../../simulator/services/scripted-registrar.ts'
import {
  type ScriptedVerifier,
  startVerifier,
  type VerifierScriptStep,
} from '../../simulator/services/scripted-verifier.ts'
import { type Service, startService } from '../../simulator/services/service.ts'
import type { VerifierSettings } from '../../simulator/services/verifier-truth.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { startAgentMachine } from './agent-machine.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import type { PushTimeline } from './push-timeline.ts'

/** What a scenario may change in the environment of a push agent. */
export interface SurroundingsOptions {
  /** Runs on the machine before the agent starts. */
  readonly machine?: Script
  /** PCRs that its TPM does not have in any bank. */
  readonly lacksPcrs?: readonly number[]
  /** The first answers of the simulated registrar, and the API versions that it lists. */
  readonly registrar?: readonly Misbehaviour[]
  readonly registrarVersions?: readonly string[]
  /** The settings of the simulated verifier, and its first answers. */
  readonly verifier?: Partial<VerifierSettings>
  readonly script?: readonly VerifierScriptStep[]
}

/** The environment of a push agent, which exists before it starts and after it exits. */
export interface PushSurroundings {
  readonly machine: Machine
  readonly registrar: ScriptedRegistrar
  readonly verifier: ScriptedVerifier
  /** A server that the agent can know only from a redirect. */
  readonly elsewhere: Service
  /** Stops the servers and the machine. */
  close(): Promise<void>
}

interface SurroundingsParts {
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
  readonly timeline: PushTimeline
  /** Name of the machine. */
  readonly name: string
  readonly onCommand: (record: CommandRecord) => void
}

const REGISTRAR_VERSIONS = ['2.1', '2.2', '2.3', '2.4', '2.5', '3.0']

/** Starts a machine and the servers of its agent. The timeline records their requests. */
export async function startSurroundings(
  parts: SurroundingsParts,
  options: SurroundingsOptions,
): Promise<PushSurroundings> {
  const undo: (() => Promise<void>)[] = []
  const kept = <T extends { close(): Promise<void> }>(started: T): T => {
    undo.push(() => started.close())
    return started
  }
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const { factory, name, onCommand, timeline } = parts
    const { lacksPcrs } = options
    const machine = kept(await startAgentMachine({ ...factory, name, onCommand, lacksPcrs }))
    timeline.watch(machine)
    await machine.play(options.machine ?? [])
    const elsewhere = kept(await startElsewhere(parts))
    const servers = { ...parts, elsewhere }
    const registrar = kept(await startRegistrarOf(servers, machine, options))
    const verifier = kept(await startVerifierOf(servers, options))
    return { machine, registrar, verifier, elsewhere, close }
  } catch (error) {
    await close()
    throw error
  }
}

function tlsOf({ issuer, server }: HarnessAuthority) {
  return { ca: issuer.certificate, certificate: server.certificate, key: server.key }
}

function startElsewhere({ authority, timeline }: SurroundingsParts): Promise<Service> {
  const answer = () => ({ status: 404 })
  return startService({ tls: tlsOf(authority), answer, onExchange: timeline.elsewhere })
}

interface ServerParts extends SurroundingsParts {
  readonly elsewhere: Service
}

/** The target of redirects. */
function astray({ elsewhere }: ServerParts) {
  return {
    secure: `https://127.0.0.1:${elsewhere.tlsPort}`,
    plain: `http://127.0.0.1:${elsewhere.port}`,
  }
}

async function startRegistrarOf(
  parts: ServerParts,
  machine: Machine,
  { registrar: answers = [], registrarVersions = REGISTRAR_VERSIONS }: SurroundingsOptions,
): Promise<ScriptedRegistrar> {
  const registrar = await startRegistrar({
    ...{ tls: tlsOf(parts.authority), elsewhere: astray(parts) },
    endorsementKey: machine.ek.public,
    onExchange: parts.timeline.registrar,
    versions: registrarVersions,
  })
  registrar.misbehave(answers)
  return registrar
}

function startVerifierOf(
  parts: ServerParts,
  { verifier: settings, script }: SurroundingsOptions,
): Promise<ScriptedVerifier> {
  return startVerifier({
    ...{ tls: tlsOf(parts.authority), elsewhere: astray(parts) },
    onExchange: parts.timeline.verifier,
    ...(settings && { settings }),
    ...(script && { script }),
  })
}
