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
import { lastWords } from '../../conformance/target/processes/spawn-recorded.ts'
import { BANKS } from '../../simulator/tpm/hash.ts'
import { toHex } from '../../simulator/tpm/write.ts'
import { AGENT_KINDS, type AgentKind, type Verdict } from './agent-kinds.ts'
import { CommandRefused } from './commands/command-refused.ts'
import type { Contact } from './contact.ts'
import { type Journal, numberOf } from './journal.ts'
import type { KeptMachine } from './kept-playground.ts'
import { type MachineParts, openMachine, type PlaygroundMachine } from './playground-machine.ts'
import { resumeMachine } from './resume-machine.ts'
import type { RegistrarRecord, Servers } from './servers.ts'
import { statusOf } from './view/machine-status.ts'
import type { Shown } from './view/present-statuses.ts'

/** A deployment, and machines that things are done to. */
export interface Playground {
  readonly servers: Servers
  readonly machines: readonly PlaygroundMachine[]
  /** The kinds of agent that the target file says how to start. */
  readonly kinds: readonly AgentKind[]
  /** The machine of that name; throws {@link CommandRefused} with the known ones. */
  find(name: string): PlaygroundMachine
  /** Starts a machine with an agent, waits until it has registered, and adds it at the verifier. */
  add(kind: AgentKind): Promise<PlaygroundMachine>
  /** Has a machine of before go on; gives what is to be told of it, a clause each. Then its agent runs, unless it was stopped. */
  resume(kept: KeptMachine): Promise<{ machine: PlaygroundMachine; remarks: readonly string[] }>
  /** Remembers in words what was done to a machine. */
  note(machine: PlaygroundMachine, done: string): void
  look(): Promise<readonly Shown[]>
  /** Ends all of it; machines that are kept go to sleep, after whoever would miss them. Calling it again waits for the first call. */
  close(): Promise<void>
}

export interface PlaygroundParts extends MachineParts {
  readonly servers: Servers
  readonly deployment: Pick<Deployment, 'stop'>
  readonly journal: Journal
  /** Of machines that sleep, by name. */
  readonly contacts: ReadonlyMap<string, Contact>
  /** Aborted when the person has enough. */
  readonly stopped: AbortSignal
}

const LOOK_EVERY_MS = 100

/** A PCR whose value the policy of every machine names, beside that of the measurement list. */
export const STATIC_PCR = 7

export function openPlayground(parts: PlaygroundParts): Playground {
  const { target, servers, journal } = parts
  const machines: PlaygroundMachine[] = []
  const done = new Map<string, string>()
  const verdicts = new Map<string, Verdict>()
  let closing: Promise<void> | undefined
  let isOver = false
  const kinds = AGENT_KINDS.filter((kind) => subjectOf(target, `${kind}_agent`) !== undefined)
  const seat = (machine: PlaygroundMachine) => {
    machines.push(machine)
    machines.sort((one, other) => numberOf(one) - numberOf(other))
  }
  // Machines that the verifier knows: another time one goes on with these.
  const known = new Set<PlaygroundMachine>()
  const write = () => {
    if (isOver) return
    for (const machine of known) journal.machine(keptOf(machine, verdicts, done))
  }
  const look = async () => {
    const shown = await Promise.all(machines.map((machine) => statusOf(machine, servers)))
    // A verifier that does not answer has not changed its mind.
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
      throw new CommandRefused(`there is no machine ${JSON.stringify(name)}; there are ${known}`)
    },
    async add(kind) {
      checkKind(kind, kinds, target.file)
      const name = `m${journal.begin()}`
      const machine = await openMachine(parts, { name, kind, agentId: randomUUID() })
      seat(machine)
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
      seat(machine)
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

/** Machines fall asleep after whoever would miss them. */
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
  { name, kind, agentId, contactPort, isToRun, isConnected, past }: PlaygroundMachine,
  verdicts: ReadonlyMap<string, Verdict>,
  done: ReadonlyMap<string, string>,
): KeptMachine {
  return {
    ...{ name, kind, agent_id: agentId, contact_port: contactPort },
    agent: isToRun ? 'runs' : 'stopped',
    network: isConnected ? 'up' : 'cut',
    verdict: verdicts.get(name) ?? 'unknown',
    done: done.get(name) ?? '',
    past: [...past],
  }
}

function checkKind(kind: AgentKind, kinds: readonly AgentKind[], file: string): void {
  if (kinds.includes(kind)) return
  throw new SetupFault(`${file} does not say how a ${kind} agent is started`, {
    next: `add roles.${kind}_agent.command to it`,
  })
}

/** Waits for the agent's registration to be complete; throws a {@link SetupFault} when it ends, or its time is over. */
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
    await pause(LOOK_EVERY_MS)
  }
  throw new SetupFault(
    `the agent of ${name} did not register within ${presentDuration(within)}: ${wordsOf(agent)}`,
    { next: 'give --keep DIRECTORY and read its logs, or raise its `within` in the target file' },
  )
}

function checkRunning(name: string, agent: StartedSubject | undefined): void {
  const ending = agent?.ending()
  if (ending === undefined) return
  throw new SetupFault(`the agent of ${name} ${ending} before it registered: ${wordsOf(agent)}`, {
    next: 'give --keep DIRECTORY and read its logs',
  })
}

function wordsOf(agent: StartedSubject | undefined): string {
  return agent === undefined ? 'it was not started' : lastWords(agent)
}

/** What an administrator tells the verifier: the key that was registered, and a policy that this boot fits. */
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

/** PCR 7 as it is now, in whichever bank it may be quoted, and PCR 10. */
async function tpmPolicyOf({ tpm }: PlaygroundMachine['machine']): Promise<string> {
  const values: string[] = []
  for (const bank of BANKS) {
    const value = (await tpm.pcrRead(bank, [STATIC_PCR])).get(STATIC_PCR)
    if (value !== undefined) values.push(toHex(value))
  }
  return policyOf({ staticPcrs: { [STATIC_PCR]: values } })
}
