import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, SetupFault } from '../../input/fault.ts'
import type { FaultCode } from '../../input/fault-codes.ts'
import { visibleLine } from '../../report/visible.ts'
import type { Command } from '../target.ts'
import type { RunDirectory } from './run-directory.ts'
import { keepShort, readEnd } from './short-log.ts'

const QUOTED_LINES = 3
const QUOTED_LENGTH = 400

/** A command to run, and its name in messages. */
export interface Task {
  /** Its name in messages and in the record, e.g. `verifier`. */
  readonly what: string
  readonly command: Command
  /** Its key in the target file, e.g. `roles.verifier.start`. */
  readonly key: string
  /** The target file, for messages. */
  readonly file: string
  /** Name of its log files, without extension. */
  readonly log: string
  /** The fault code if the program or its directory does not exist. */
  readonly code: FaultCode
}

/** A process of a target, in its own process group. */
export interface RunningCommand {
  readonly pid: number
  /** Files with its stdout and stderr. */
  readonly logs: { readonly out: string; readonly err: string }
  /** How it ended, as a phrase; undefined while it runs. */
  readonly exitReason: () => string | undefined
  /** Resolves with the exit code at its end; null after a signal. */
  readonly ended: Promise<number | null>
}

function refuseMissingDirectory({ what, command, key, file, code }: Task): void {
  if (statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory()) return
  const next = `correct ${key}.cwd in ${file}`
  throw new SetupFault(`the directory ${command.cwd} of ${what} does not exist`, { code, next })
}

async function commandFault(task: Task, child: ChildProcess): Promise<SetupFault> {
  const { what, command, key, file, code } = task
  const [cause] = await once(child, 'error')
  const [program = ''] = command.command
  const where = program.includes('/') ? '' : ' on PATH'
  const why =
    codeOf(cause) === 'ENOENT' ? `was not found${where}` : `cannot be run (${codeOf(cause)})`
  return new SetupFault(`the command of ${what}, ${JSON.stringify(program)}, ${why}`, {
    code,
    next: `install it, or correct ${key}.command in ${file}`,
    cause,
  })
}

/** Watches a process until its end, and keeps its logs short until then. */
function watchExit(
  child: ChildProcess,
  logs: RunningCommand['logs'],
): Pick<RunningCommand, 'exitReason' | 'ended'> {
  let exitReason: string | undefined
  const stopWatching = keepShort([logs.out, logs.err])
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code, signal) => {
      stopWatching()
      exitReason = code === null ? `was ended by ${signal}` : `exited with code ${code}`
      resolve(code)
    })
  })
  return { exitReason: () => exitReason, ended }
}

const READ_BYTES = 65_536

/**
 * The last output of a process, for a message, with controls spelled out, since a terminal would obey them; from stdout
 * if stderr is empty.
 */
export function lastOutput({ logs }: Pick<RunningCommand, 'logs'>): string {
  const text = readEnd(logs.err, READ_BYTES).trim() || readEnd(logs.out, READ_BYTES).trim()
  const words = visibleLine(text.split('\n').slice(-QUOTED_LINES).join(' / '))
  if (words === '') return 'it wrote nothing'
  return words.length > QUOTED_LENGTH ? `…${words.slice(-QUOTED_LENGTH)}` : words
}

/**
 * Starts a command in its own process group, with its output in `logs/` of the run directory, and records it before
 * anything else can fail; `env` is added last. Throws a {@link SetupFault} for a missing directory or command.
 */
export async function spawnRecorded(
  task: Task,
  run: RunDirectory,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCommand> {
  refuseMissingDirectory(task)
  const { command, what, log } = task
  mkdirSync(join(run.path, 'logs'), { recursive: true })
  const logs = {
    out: join(run.path, 'logs', `${log}.out`),
    err: join(run.path, 'logs', `${log}.err`),
  }
  const [program = '', ...words] = command.command
  const files = [openSync(logs.out, 'a', 0o600), openSync(logs.err, 'a', 0o600)]
  const child = spawn(program, words, {
    cwd: command.cwd,
    env: { ...process.env, ...command.env, ...env, ...run.environment },
    detached: true,
    stdio: ['ignore', ...files],
  })
  if (child.pid !== undefined) run.record(child.pid, what, { group: true })
  for (const file of files) closeSync(file)
  if (child.pid === undefined) throw await commandFault(task, child)
  child.unref()
  return { pid: child.pid, logs, ...watchExit(child, logs) }
}
