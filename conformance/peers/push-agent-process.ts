import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import type { CommandRecord } from '../../simulator/swtpm/broker.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { until } from '../attempt/poll.ts'
import { NO_SLOT, type Slot } from '../attempt/slots.ts'
import type { MachineFactory } from '../client/agents/machine-options.ts'
import { presentDuration } from '../input/duration.ts'
import { type StartedSubject, startSubject } from '../target/deployment/start-subject.ts'
import type { RunDirectory } from '../target/processes/run-directory.ts'
import { lastWords } from '../target/processes/spawn-recorded.ts'
import type { Target } from '../target/target.ts'
import type { HarnessAuthority } from './harness-authority.ts'
import { type LogFiles, writeLogFiles } from './log-files.ts'
import { type Pace, type Patience, patienceOf, wordsOf } from './push-agent-placeholders.ts'
import {
  type PushSurroundings,
  type SurroundingsOptions,
  startSurroundings,
} from './push-surroundings.ts'
import { type PushOperation, type PushStep, pushTimeline } from './push-timeline.ts'

export interface PushAgentParts {
  readonly target: Target
  readonly run: RunDirectory
  readonly factory: MachineFactory
  readonly authority: HarnessAuthority
}

/** What a scenario may change of what a push agent finds, and is told. */
export interface PushAgentOptions extends SurroundingsOptions, Partial<Pace> {
  /** Others may compute while it is waited for. */
  readonly rest?: Slot['rest']
}

/** Hears what happens around an agent, for the transcript of whoever uses it now. */
export interface PushListener {
  command(machine: string, record: CommandRecord): void
  operation(operation: PushOperation): void
}

/** The push agent under judgement as a process, with its machine and the servers that it found. */
export interface PushAgentProcess extends PushSurroundings {
  readonly id: string
  readonly logs: LogFiles
  /** The process that runs now. */
  readonly process: StartedSubject
  /** What it was told of its patience. */
  readonly patience: Patience
  /** Everything that it said to anybody, in order. */
  readonly operations: readonly PushOperation[]
  hearBy(listener: PushListener | undefined): void
  /**
   * Waits until it has taken a step so often, counted from deed `from` on, and gives these deeds. Throws
   * {@link PrerequisiteFailed} when it ends, or its time is over.
   */
  took(step: PushStep, times?: number, from?: number): Promise<readonly PushOperation[]>
  /** Whether it takes a step so often from now on, in a few seconds. */
  mayTake(step: PushStep, times: number): Promise<boolean>
  /** Lets something happen to the machine, and to its logs. */
  play(script: Script): Promise<void>
  /** Ends the process, lets something happen, and starts it again on the same machine and in the same directory. */
  restart(meanwhile?: { readonly machine?: Script }): Promise<void>
  /** Has the TPM do work of its own for so many milliseconds. */
  keepTpmBusy(ms: number): Promise<void>
  /** Ends it, its servers and its machine. */
  close(): Promise<void>
}

const POLL_MS = 15
/** For what an agent need not do. */
const MAY_MS = 6000

/** Starts a machine, its servers, and the agent of the target file between them; does not wait for it. */
export async function startPushAgent(
  { target, run, factory, authority }: PushAgentParts,
  {
    id,
    name,
    rest = NO_SLOT.rest,
    ...options
  }: PushAgentOptions & { readonly id: string; readonly name: string },
): Promise<PushAgentProcess> {
  const heard: { by: PushListener | undefined } = { by: undefined }
  const timeline = pushTimeline((operation) => heard.by?.operation(operation))
  const surroundings = await startSurroundings(
    {
      ...{ factory, authority, timeline, name },
      onCommand: (record) => heard.by?.command(name, record),
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
      })
    // What was known when evidence came is read before anything else happens to the machine.
    const settled = () => Promise.allSettled(timeline.operations().map(({ known }) => known?.pcrs))
    let process = await start()
    return {
      ...surroundings,
      ...{ id, logs, patience },
      get process() {
        return process
      },
      get operations() {
        return timeline.operations()
      },
      hearBy(listener) {
        heard.by = listener
      },
      took: (step, times = 1, from = 0) =>
        rest(() => awaitStep({ process, operations: timeline.operations }, { step, times, from })),
      mayTake(step, times) {
        const from = timeline.operations().length
        const taken = () =>
          timeline
            .operations()
            .slice(from)
            .filter((operation) => operation.step === step)
        const isDone = () => taken().length >= times
        return rest(() => until(isDone, { withinMs: MAY_MS, everyMs: POLL_MS }))
      },
      async play(script) {
        await settled()
        await machine.play(script)
        logs.sync()
      },
      async restart({ machine: meanwhile } = {}) {
        await process.stop()
        await settled()
        if (meanwhile) await machine.play(meanwhile)
        logs.sync()
        process = await start()
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

async function awaitStep(
  { process, operations }: { process: StartedSubject; operations: () => readonly PushOperation[] },
  { step, times, from }: { step: PushStep; times: number; from: number },
): Promise<readonly PushOperation[]> {
  const taken = () =>
    operations()
      .slice(from)
      .filter((operation) => operation.step === step)
  const isOver = () => taken().length >= times || process.ending() !== undefined
  await until(isOver, { withinMs: process.withinMs, everyMs: POLL_MS })
  const found = taken()
  if (found.length >= times) return found
  const within = presentDuration(process.withinMs)
  const why = process.ending() ?? `did not within ${within}`
  throw new PrerequisiteFailed(
    `the agent was to take the step ${step} ${times} time(s), took it ${found.length} time(s), and ${why}: ${lastWords(process)}`,
  )
}

const WORK_AT_ONCE = 40

/** Commands of the judge, that all others wait behind. */
async function makeWork({ tpm, ak }: Machine): Promise<void> {
  const work = () =>
    tpm.certify({
      qualifyingData: new Uint8Array(8),
      objectHandle: ak.handle,
      signHandle: ak.handle,
    })
  await Promise.all(Array.from({ length: WORK_AT_ONCE }, work))
}
