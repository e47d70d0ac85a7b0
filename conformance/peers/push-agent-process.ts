import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { until } from '../attempt/poll.ts'
import { NO_SLOT, type Slot } from '../attempt/slots.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { presentDuration } from '../input/duration.ts'
import { counted } from '../report/visible.ts'
import { type StartedSubject, startSubject } from '../target/deployment/start-subject.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { lastOutput } from '../target/processes/spawn-recorded.ts'
import type { Target } from '../target/target.ts'
import { type CommandTrigger, commandTrigger } from './agent-machine.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import { type LogFiles, writeLogFiles } from './log-files.ts'
import { type Pace, type Patience, patienceOf, wordsOf } from './push-agent-placeholders.ts'
import {
  type PushSurroundings,
  type SurroundingsOptions,
  startSurroundings,
} from './push-surroundings.ts'
import { type PushOperation, type PushStep, pushTimeline } from './push-timeline.ts'
import { stepNotTaken } from './step-not-taken.ts'
import { requireWords } from './subject-words.ts'

export interface PushAgentParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
  readonly dialect: Dialect
}

/** What a scenario may change in the environment and timing of a push agent. */
export interface PushAgentOptions extends SurroundingsOptions, Partial<Pace> {
  /** Its UUID has capital letters. */
  readonly capitals?: true
  /** Its keys and hashes have other algorithms. */
  readonly ending?: 'otherAlgorithms'
  /** Releases the compute slot while waiting for the agent. */
  readonly rest?: Slot['rest']
}

/** Receives TPM commands and operations of an agent, for the transcript of the current scenario. */
export interface PushListener {
  command(machine: string, record: CommandRecord): void
  operation(operation: PushOperation): void
}

/** The process of the push agent under test, with its machine and its servers. */
export interface PushAgentProcess extends PushSurroundings, Pick<CommandTrigger, 'afterCommand'> {
  readonly id: string
  readonly logs: LogFiles
  /** The current process; a restart replaces it. */
  readonly process: StartedSubject
  /** The agent's configured timing. */
  readonly patience: Patience
  /** All requests of the agent and their answers, in order. */
  readonly operations: readonly PushOperation[]
  /** Sets the listener; initially none. */
  listenWith(listener: PushListener | undefined): void
  /**
   * Waits until the agent has taken a step `times` times, counted from operation `from` on, and returns these
   * operations. The time limit starts again with each request of the agent, so that a busy machine may be slow and not
   * stand still; but not for an agent that sends many other requests between two such steps.
   *
   * @throws {PrerequisiteFailed} if the agent exits or a time limit passes
   */
  took(step: PushStep, times?: number, from?: number): Promise<readonly PushOperation[]>
  /**
   * Waits until a condition holds, and returns whether it does within the time limit of a step. The deadline of the
   * scenario pauses meanwhile.
   */
  until(isDone: () => boolean): Promise<boolean>
  /** Whether the agent takes a step `times` times from now on, before it has opened several sessions in vain. */
  takesInSession(step: PushStep, times: number): Promise<boolean>
  /** Runs a script on the machine and updates its log files. */
  play(script: Script): Promise<void>
  /**
   * Stops the process, runs a script on the machine, and starts the process again in the same directory. Returns the
   * number of operations before the new process.
   */
  restart(meanwhile?: { readonly machine?: Script }): Promise<number>
  /** Keeps the TPM busy with commands of the harness for `ms` milliseconds. */
  keepTpmBusy(ms: number): Promise<void>
  /** Stops the agent, its servers and its machine. */
  close(): Promise<void>
}

const POLL_MS = 15
/** As many requests as a right agent sends from its start to its first evidence, and a few more. */
const HOPEFUL_REQUESTS = 16
/** More sessions than a right agent opens for two attestations on a slow machine. */
const VAIN_SESSIONS = 10

/** Starts a machine, its servers and the target file's push agent; does not wait for the agent. */
export async function startPushAgent(
  { target, run, factory, authority, dialect }: PushAgentParts,
  {
    id,
    name,
    rest = NO_SLOT.rest,
    ending,
    ...options
  }: PushAgentOptions & { readonly id: string; readonly name: string },
): Promise<PushAgentProcess> {
  if (ending) requireWords(target, 'push_agent', ending)
  let current: PushListener | undefined
  const trigger = commandTrigger()
  const timeline = pushTimeline(dialect, (operation) => current?.operation(operation))
  const surroundings = await startSurroundings(
    {
      ...{ factory, authority, timeline, name },
      onCommand(record) {
        current?.command(name, record)
        trigger.see(record)
      },
    },
    options,
  )
  const { machine, registrar, verifier } = surroundings
  try {
    const directory = join(run.path, 'agents', name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const logs = writeLogFiles(machine, directory)
    const patience = patienceOf(target, options)
    const words = await wordsOf({
      ...{ id, directory, machine, registrar, verifier, logs, authority, patience },
    })
    const start = () =>
      startSubject(target, run, 'push_agent', {
        ...{ agentId: id, tpm: words.tpm, ca: authority.files.ca, words },
        verifierUrl: `https://127.0.0.1:${verifier.tlsPort}`,
        registrarUrl: `https://127.0.0.1:${registrar.tlsPort}`,
        ending,
      })
    // The reads that started when evidence arrived must finish before the machine changes.
    const settled = () => Promise.allSettled(timeline.operations().map(({ known }) => known?.pcrs))
    let process = await start()
    const wait = (isDone: () => boolean) =>
      rest(() => until(isDone, { withinMs: process.withinMs, everyMs: POLL_MS }))
    return {
      ...surroundings,
      ...{ id, logs, patience },
      get process() {
        return process
      },
      get operations() {
        return timeline.operations()
      },
      listenWith(listener) {
        current = listener
      },
      afterCommand: trigger.afterCommand,
      took: (step, times = 1, from = 0) =>
        rest(() => awaitStep({ process, operations: timeline.operations }, { step, times, from })),
      until: wait,
      async takesInSession(step, times) {
        const taken = countFrom(timeline.operations)
        const isDone = () => taken(step) >= times || taken('session') >= VAIN_SESSIONS
        await wait(isDone)
        return taken(step) >= times
      },
      async play(script) {
        await settled()
        await machine.play(script)
        logs.sync()
      },
      async restart({ machine: meanwhile } = {}) {
        await process.stop()
        await settled()
        const ended = timeline.operations().length
        if (meanwhile) await machine.play(meanwhile)
        logs.sync()
        process = await start()
        return ended
      },
      async keepTpmBusy(ms) {
        const until = performance.now() + ms
        while (performance.now() < until) await makeWork(machine)
      },
      async close() {
        await process.stop()
        await surroundings.close()
      },
    }
  } catch (error) {
    await surroundings.close()
    throw error
  }
}

/** Counts how often a step was taken after this call. */
function countFrom(operations: () => readonly PushOperation[]): (step: PushStep) => number {
  const from = operations().length
  return (step) =>
    operations()
      .slice(from)
      .filter((operation) => operation.step === step).length
}

/** A number that changes with each step of the kind, and with the first few requests after one. */
function progressOf(step: PushStep, operations: readonly PushOperation[]): number {
  const last = operations.findLastIndex((operation) => operation.step === step)
  return last + 1 + Math.min(operations.length - last - 1, HOPEFUL_REQUESTS)
}

async function awaitStep(
  { process, operations }: { process: StartedSubject; operations: () => readonly PushOperation[] },
  { step, times, from }: { step: PushStep; times: number; from: number },
): Promise<readonly PushOperation[]> {
  const taken = () =>
    operations()
      .slice(from)
      .filter((operation) => operation.step === step)
  const isOver = () => taken().length >= times || process.exitReason() !== undefined
  let progress = progressOf(step, operations().slice(from))
  for (let isMoving = true; isMoving && !isOver(); ) {
    const seen = progress
    const moves = () => {
      progress = progressOf(step, operations().slice(from))
      return isOver() || progress !== seen
    }
    isMoving = await until(moves, { withinMs: process.withinMs, everyMs: POLL_MS })
  }
  const found = taken()
  if (found.length >= times) return found
  const within = presentDuration(process.withinMs)
  const why = process.exitReason() ?? `is still running after ${within}`
  throw stepNotTaken(step, {
    expected: counted(times, 'time'),
    received: `${counted(found.length, 'time')}; the agent ${why}: ${lastOutput(process)}`,
  })
}

const WORK_AT_ONCE = 40

/** Sends TPM commands of the harness, which delay those of the agent. */
async function makeWork({ tpm, ak }: Machine): Promise<void> {
  const work = () =>
    tpm.certify({
      qualifyingData: new Uint8Array(8),
      objectHandle: ak.handle,
      signHandle: ak.handle,
    })
  await Promise.all(Array.from({ length: WORK_AT_ONCE }, work))
}
