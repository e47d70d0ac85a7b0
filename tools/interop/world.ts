import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../conformance/attempt/poll.ts'
import type { MachineFactory } from '../../conformance/client/agents/machine-options.ts'
import { presentDuration } from '../../conformance/input/duration.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { type LogFiles, writeLogFiles } from '../../conformance/peers/log-files.ts'
import { freePorts } from '../../conformance/target/processes/free-port.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import {
  lastWords,
  type RunningCommand,
  spawnRecorded,
} from '../../conformance/target/processes/spawn-recorded.ts'
import { type Machine, startMachine } from '../../simulator/machine/machine.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import { Disagreement } from './disagreement.ts'
import type { Upstream } from './start-upstream.ts'
import type { UpstreamPlaces } from './upstream-places.ts'

/** What every cell may use. */
export interface World {
  readonly places: UpstreamPlaces
  readonly upstream: Upstream
  readonly run: RunDirectory
  readonly factory: MachineFactory
  /** PEM file with the CA of the virtual TPMs. */
  readonly ekCa: string
  /** Ports of our own servers, and the directory of their state. */
  readonly ours: OurServers
  /** Patterns of the scenarios that the suite is held to; all when there is none. */
  readonly scenarios: readonly string[]
}

export interface OurServers {
  readonly directory: string
  readonly verifier: number
  readonly registrar: number
}

/** Our command line, as anyone types it. */
export const ASSAY = join(packageRoot(), 'bin', 'assay.js')

const COMMAND_MS = 90_000

export interface Program {
  /** Name of its log files, and of it in messages. */
  readonly name: string
  readonly words: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** What a program wrote and how it ended. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Starts a program that stays. */
export async function start(
  { run }: Pick<World, 'run'>,
  { name, words, environment = {} }: Program,
): Promise<RunningCommand> {
  const command = { command: words, cwd: run.path, env: environment }
  const task = { what: name, command, key: name, file: 'interop', log: name } as const
  return spawnRecorded({ ...task, code: 'D-START-NOT-FOUND' }, run)
}

let runs = 0

/** Runs a program to its end, which has to come in time; its output has files of its own. */
export async function runToEnd(
  world: Pick<World, 'run'>,
  program: Program,
  withinMs = COMMAND_MS,
): Promise<Ran> {
  const running = await start(world, { ...program, name: `${program.name}-${++runs}` })
  const ended = await until(() => running.ending() !== undefined, { withinMs })
  const output = readBoth(running)
  await world.run.end(running.pid)
  if (!ended)
    throw new Disagreement(
      program.name,
      `an end within ${presentDuration(withinMs)}`,
      lastWords(running),
    )
  return { code: await running.ended, output }
}

/** Settings as our programs take them. */
export function settings(values: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
}

let machines = 0

/** A virtual machine after its recorded boot, with its logs in a directory of its own and a TCTI. */
export interface MachineWithLogs {
  readonly machine: Machine
  readonly directory: string
  readonly logs: LogFiles
  readonly tcti: string
  readonly port: number
  /** File with the runtime policy that accepts what it ran until now. */
  readonly policy: string
}

/** Boots a machine for one cell; `body` ends before it does. */
export async function onMachine<T>(
  { run, factory }: World,
  body: (machine: MachineWithLogs) => Promise<T>,
): Promise<T> {
  const name = `i${machines++}`
  const machine = await startMachine({ ...factory, name })
  try {
    const directory = join(run.path, 'machines', name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const policy = join(directory, 'policy.json')
    writeFileSync(policy, JSON.stringify(runtimePolicyOf(machine.ima.entries)))
    const { tcti } = await machine.serveTcp()
    const [port = 0] = await freePorts(1)
    return await body({
      ...{ machine, directory, tcti, port, policy },
      logs: writeLogFiles(machine, directory),
    })
  } finally {
    await machine.close()
  }
}

function readBoth({ logs }: RunningCommand): string {
  return [logs.out, logs.err].map((file) => readFileSync(file, 'utf8')).join('\n')
}
