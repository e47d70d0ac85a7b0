import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../conformance/attempt/poll.ts'
import type { MachineFactory } from '../../conformance/client/agents/machine-options.ts'
import { presentDuration } from '../../conformance/input/duration.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { type LogFiles, writeLogFiles } from '../../conformance/peers/log-files.ts'
import type { StartedTarget } from '../../conformance/target/deployment/start-on-free-ports.ts'
import { freePorts } from '../../conformance/target/processes/free-port.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import {
  lastOutput,
  type RunningCommand,
  spawnRecorded,
} from '../../conformance/target/processes/spawn-recorded.ts'
import { type Machine, startMachine } from '../../simulator/machine/machine.ts'
import type { Script } from '../../simulator/machine/script.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import { Disagreement } from './disagreement.ts'
import type { Upstream } from './start-upstream.ts'
import type { UpstreamPlaces } from './upstream-places.ts'

/** The servers and directories that every test uses. */
export interface InteropEnvironment {
  readonly places: UpstreamPlaces
  readonly upstream: Upstream
  readonly run: RunDirectory
  readonly factory: MachineFactory
  /** PEM file with the CA of the virtual TPMs. */
  readonly ekCa: string
  /** Ports of our own servers, and the directory of their state. */
  readonly ours: OurServers
  /** Patterns of the suite's scenarios; all scenarios if the list is empty. */
  readonly scenarios: readonly string[]
  /** Directory with the built Rust agents; undefined if their tests do not run. */
  readonly rustAgents: string | undefined
  /** Accept the results of suites, in place of comparing them with accepted ones. */
  readonly accepts: boolean
}

export interface OurServers {
  /** Their target and processes. */
  readonly started: StartedTarget
  readonly directory: string
  readonly verifier: number
  readonly registrar: number
  /** Port of the registrar without TLS. */
  readonly registrarHttp: number
}

/** Our command line. */
export const ASSAY = join(packageRoot(), 'bin', 'assay.js')

const COMMAND_MS = 90_000

export interface Program {
  /** Used for log files and messages. */
  readonly name: string
  readonly words: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Output and exit code of a program. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Starts a long-running program. */
export async function start(
  { run }: Pick<InteropEnvironment, 'run'>,
  { name, words, environment = {} }: Program,
): Promise<RunningCommand> {
  const command = { command: words, cwd: run.path, env: environment }
  const task = { what: name, command, key: name, file: 'interop', log: name } as const
  return spawnRecorded({ ...task, code: 'D-START-NOT-FOUND' }, run)
}

let runs = 0

/** Runs a program and waits for its end; throws a {@link Disagreement} after the timeout. */
export async function runToEnd(
  environment: Pick<InteropEnvironment, 'run'>,
  program: Program,
  withinMs = COMMAND_MS,
): Promise<Ran> {
  const running = await start(environment, { ...program, name: `${program.name}-${++runs}` })
  const ended = await until(() => running.exitReason() !== undefined, { withinMs })
  const output = readBoth(running)
  await environment.run.end(running.pid)
  if (!ended)
    throw new Disagreement(
      program.name,
      `exit within ${presentDuration(withinMs)}`,
      lastOutput(running),
    )
  return { code: await running.ended, output }
}

/** Command line arguments for settings of our programs. */
export function settings(values: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
}

let machines = 0

/** A booted virtual machine, with its logs in its own directory and a TCTI. */
export interface MachineWithLogs {
  readonly machine: Machine
  readonly directory: string
  readonly logs: LogFiles
  readonly tcti: string
  readonly port: number
  /** File with a runtime policy that accepts every file measured before this machine was given to a test. */
  readonly policy: string
  /** Writes a file with a runtime policy that accepts every file measured so far. */
  writePolicy(name: string): string
}

/** Boots a machine, as recorded or as `boot` says, calls `body` with it and shuts it down. */
export async function onMachine<T>(
  { run, factory }: InteropEnvironment,
  body: (machine: MachineWithLogs) => Promise<T>,
  boot: Script = [],
): Promise<T> {
  const name = `i${machines++}`
  const machine = await startMachine({ ...factory, name })
  try {
    await machine.play(boot)
    const directory = join(run.path, 'machines', name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const writePolicy = (file: string) => {
      const path = join(directory, file)
      writeFileSync(path, JSON.stringify(runtimePolicyOf(machine.ima.entries)))
      return path
    }
    const { tcti } = await machine.serveTcp()
    const [port = 0] = await freePorts(1)
    return await body({
      ...{ machine, directory, tcti, port, writePolicy },
      policy: writePolicy('policy.json'),
      logs: writeLogFiles(machine, directory),
    })
  } finally {
    await machine.close()
  }
}

function readBoth({ logs }: RunningCommand): string {
  return [logs.out, logs.err].map((file) => readFileSync(file, 'utf8')).join('\n')
}
