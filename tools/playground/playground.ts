import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { enrolmentOf } from '../../conformance/client/agents/enrolment.ts'
import { tpmPolicyOf as policyOf } from '../../conformance/client/agents/polled-pcrs.ts'
import { unbase64 } from '../../conformance/client/bytes.ts'
import { presentDuration } from '../../conformance/input/duration.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import type { Deployment } from '../../conformance/target/deployment/deployment.ts'
import {
  type StartedSubject,
  subjectOf,
} from '../../conformance/target/deployment/start-subject.ts'
import { lastOutput } from '../../conformance/target/processes/spawn-recorded.ts'
import { BANKS } from '../../simulator/tpm/hash.ts'
import { toHex } from '../../simulator/tpm/write.ts'
import { AGENT_KINDS, type AgentKind, type Verdict } from './agent-kinds.ts'
import { CommandRejected } from './commands/command-rejected.ts'
import type { Contact } from './contact.ts'
import { type Journal, numberOf } from './journal.ts'
import type { KeptMachine } from './kept-playground.ts'
import { type MachineParts, openMachine, type PlaygroundMachine } from './playground-machine.ts'
import { resumeMachine } from './resume-machine.ts'
import type { RegistrarRecord, Servers } from './servers.ts'
import { statusOf } from './view/machine-status.ts'
import type { Shown } from './view/present-statuses.ts'

/** A deployment with machines that commands change. */
export interface Playground {
  readonly servers: Servers
  readonly machines: readonly PlaygroundMachine[]
  /** The kinds of agents that the target file can start. */
  readonly kinds: readonly AgentKind[]
  /** The machine with that name; throws {@link CommandRejected} with the known names. */
  find(name: string): PlaygroundMachine
  /** Starts a machine with an agent, waits for its registration, and adds it to the verifier. */
  add(kind: AgentKind): Promise<PlaygroundMachine>
  /** Resumes a kept machine and starts its agent unless it was stopped; returns remarks for the user, a clause each. */
  resume(kept: KeptMachine): Promise<{ machine: PlaygroundMachine; remarks: readonly string[] }>
  /** Records the description of the last command on a machine. */
  note(machine: PlaygroundMachine, done: string): void
  look(): Promise<readonly Shown[]>
  /** Ends agents, servers and machines; kept machines sleep last. A second call waits for the first. */
  close(): Promise<void>
}

interface PlaygroundParts extends MachineParts {
  readonly servers: Servers
  readonly deployment: Pick<Deployment, 'stop'>
  readonly journal: Journal
  /** Contacts of kept machines, by name. */
  readonly contacts: ReadonlyMap<string, Contact>
  /** Aborted when the playground ends. */
  readonly stopped: AbortSignal
}

const POLL_EVERY_MS = 100

/** The policy of every machine contains the value of this PCR, in addition to PCR 10. */
export const STATIC_PCR = 7

export function openPlayground(parts: PlaygroundParts): Playground {
  const { target, servers, journal } = parts
  const machines: PlaygroundMachine[] = []
  const done = new Map<string, string>()
  const verdicts = new Map<string, Verdict>()
  let closing: Promise<void> | undefined
  let isOver = false
  const kinds = AGENT_KINDS.filter((kind) => subjectOf(target, `${kind}_agent`) !== undefined)
  const insert = (machine: PlaygroundMachine) => {
    machines.push(machine)
    machines.sort((one, other) => numberOf(one) - numberOf(other))
  }
  // Machines that were added to the verifier; only these are kept.
  const known = new Set<PlaygroundMachine>()
  const write = () => {
    if (isOver) return
    for (const machine of known) journal.machine(keptOf(machine, verdicts, done))
  }
  const look = async () => {
    const shown = await Promise.all(machines.map((machine) => statusOf(machine, servers)))
    // The last verdict remains while the verifier does not respond.
    for (const { name, verdict } of shown) if (verdict !== 'unknown') verdicts.set(name, verdict)
    write()
    return shown.map((status) => ({ ...status, done: done.get(status.name) ?? '' }))
  }
  return {
    ...{ servers, machines, kinds },
    find(name) {
      const found = machines.find((machine) => machine.name === name)
      if (found !== undefined) return found
      const known = machines.map((machine) => machine.name).join(', ')
      throw new CommandRejected(`unknown machine ${JSON.stringify(name)}; machines are: ${known}`)
    },
    async add(kind) {
      checkKind(kind, kinds, target.file)
      const name = `m${journal.begin()}`
      const machine = await openMachine(parts, { name, kind, agentId: randomUUID() })
      insert(machine)
      await machine.startAgent()
      const record = await registered(machine, parts)
      await servers.addAgent(machine.agentId, await enrolment(machine, record, servers))
      known.add(machine)
      write()
      return machine
    },
    async resume(kept) {
      done.set(kept.name, kept.done)
      verdicts.set(kept.name, kept.verdict)
      const { machine, remarks } = await resumeMachine(parts, kept)
      insert(machine)
      if (kept.agent === 'runs') await machine.startAgent()
      known.add(machine)
      write()
      return { machine, remarks }
    },
    note(machine, words) {
      done.set(machine.name, words)
      write()
    },
    look,
    close() {
      closing ??= closeAll(parts, machines, () => look().then(() => (isOver = true)))
      return closing
    },
  }
}

/** Ends agents and servers before the machines, so that the verifier does not fail a sleeping machine. */
async function closeAll(
  { servers, deployment, isKept }: PlaygroundParts,
  machines: readonly PlaygroundMachine[],
  lookLast: () => Promise<unknown>,
): Promise<void> {
  if (isKept) {
    for (const machine of machines) machine.hold()
    await lookLast()
    await Promise.allSettled(machines.map((machine) => machine.stopAgent()))
    await deployment.stop()
  }
  await Promise.allSettled(machines.map((machine) => machine.close()))
  servers.close()
}

function keptOf(
  { name, kind, agentId, contactPort, shouldRun, isConnected, past }: PlaygroundMachine,
  verdicts: ReadonlyMap<string, Verdict>,
  done: ReadonlyMap<string, string>,
): KeptMachine {
  return {
    ...{ name, kind, agent_id: agentId, contact_port: contactPort },
    agent: shouldRun ? 'runs' : 'stopped',
    network: isConnected ? 'up' : 'cut',
    verdict: verdicts.get(name) ?? 'unknown',
    done: done.get(name) ?? '',
    past: [...past],
  }
}

function checkKind(kind: AgentKind, kinds: readonly AgentKind[], file: string): void {
  if (kinds.includes(kind)) return
  throw new SetupFault(`${file} has no command for a ${kind} agent`, {
    next: `add roles.${kind}_agent.command to it`,
  })
}

/** Waits for the agent's registration; throws a {@link SetupFault} if the agent exits or the time limit passes. */
async function registered(
  { name, agentId, agent }: PlaygroundMachine,
  { servers, stopped }: PlaygroundParts,
): Promise<RegistrarRecord> {
  const within = agent?.withinMs ?? 0
  for (const deadline = performance.now() + within; performance.now() < deadline; ) {
    stopped.throwIfAborted()
    const record = await servers.registration(agentId)
    if (record !== undefined) return record
    checkRunning(name, agent)
    await pause(POLL_EVERY_MS)
  }
  throw new SetupFault(
    `the agent of ${name} did not register within ${presentDuration(within)}: ${outputOf(agent)}`,
    { next: 'pass --keep DIRECTORY and read its logs, or raise its `within` in the target file' },
  )
}

function checkRunning(name: string, agent: StartedSubject | undefined): void {
  const exitReason = agent?.exitReason()
  if (exitReason === undefined) return
  throw new SetupFault(
    `the agent of ${name} ${exitReason} before it registered: ${outputOf(agent)}`,
    {
      next: 'pass --keep DIRECTORY and read its logs',
    },
  )
}

function outputOf(agent: StartedSubject | undefined): string {
  return agent === undefined ? 'it was not started' : lastOutput(agent)
}

/** Body of the administrator's request: the registered key, and policies that accept the current boot. */
async function enrolment(
  { kind, machine, contactPort }: PlaygroundMachine,
  { aik_tpm, mtls_cert }: RegistrarRecord,
  { dialect, pullVersion }: Servers,
): Promise<object> {
  const isPull = kind === 'pull'
  const known = { ima: machine.ima, ak: { public: unbase64(aik_tpm) } }
  const address = { ip: '127.0.0.1', port: contactPort }
  const speaks = isPull ? pullVersion : '3.0'
  return {
    ...enrolmentOf(known, { ...(isPull && { address }), ...(speaks && { speaks }) }, dialect),
    ...(isPull && { mtls_cert }),
    tpm_policy: await tpmPolicyOf(machine),
  }
}

/** A `tpm_policy` with the current value of PCR 7 in every bank, and PCR 10. */
async function tpmPolicyOf({ tpm }: PlaygroundMachine['machine']): Promise<string> {
  const values: string[] = []
  for (const bank of BANKS) {
    const value = (await tpm.pcrRead(bank, [STATIC_PCR])).get(STATIC_PCR)
    if (value !== undefined) values.push(toHex(value))
  }
  return policyOf({ staticPcrs: { [STATIC_PCR]: values } })
}
