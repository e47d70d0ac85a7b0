import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, SetupFault } from './fault.ts'
import { findListener } from './find-listener.ts'
import { portTrouble } from './free-port.ts'
import type { RunDirectory } from './run-directory.ts'
import type { ServiceRole, StartCommand, Target, TargetRole } from './target.ts'

const QUOTED_LINES = 3
const QUOTED_LENGTH = 400

/** One role that Assay has started. */
export interface StartedRole {
  readonly role: ServiceRole
  readonly pid: number
  /** What it wrote to stdout and to stderr. */
  readonly logs: { readonly out: string; readonly err: string }
  /** How it ended, in words; undefined while it runs. */
  readonly ending: () => string | undefined
}

export interface RoleToStart extends TargetRole {
  readonly start: StartCommand
}

/** Refuses to start a role on whose port somebody else listens already: the wrong server would be judged. */
async function refuseBusyPort(target: Target, { role, url }: RoleToStart): Promise<void> {
  const { hostname, port } = new URL(url)
  const number = Number(port || 443)
  const trouble = await portTrouble(number, hostname.replace(/^\[|\]$/g, ''))
  if (trouble === undefined) return
  const next = `stop that, or write \${port.${role}} for the port in ${target.file}`
  if (trouble === 'EADDRINUSE') {
    const owner = findListener(number) ?? 'another process'
    throw new SetupFault(
      `port ${number} is busy: ${owner} listens there, where ${role} shall start`,
      {
        next,
      },
    )
  }
  throw new SetupFault(
    `nothing can listen on ${hostname}:${number} (${trouble}), where ${role} shall start`,
  )
}

function refuseMissingDirectory(target: Target, { role, start }: RoleToStart): void {
  if (statSync(start.cwd, { throwIfNoEntry: false })?.isDirectory()) return
  throw new SetupFault(`the directory ${start.cwd} of ${role} is not there`, {
    next: `correct roles.${role}.start.cwd in ${target.file}`,
  })
}

async function commandFault(
  target: Target,
  entry: RoleToStart,
  child: ChildProcess,
): Promise<SetupFault> {
  const [cause] = await once(child, 'error')
  const [program = ''] = entry.start.command
  const where = program.includes('/') ? '' : ' on PATH'
  const why =
    codeOf(cause) === 'ENOENT' ? `was not found${where}` : `cannot be run (${codeOf(cause)})`
  return new SetupFault(`the command of ${entry.role}, ${JSON.stringify(program)}, ${why}`, {
    next: `install it, or correct roles.${entry.role}.start.command in ${target.file}`,
    cause,
  })
}

function watchEnding(child: ChildProcess): () => string | undefined {
  let ending: string | undefined
  child.once('exit', (code, signal) => {
    ending = code === null ? `was ended by ${signal}` : `exited with code ${code}`
  })
  return () => ending
}

/** The last words of a role, for a message; from stdout when stderr is empty. */
export function lastWords({ logs }: StartedRole): string {
  const text = readFileSync(logs.err, 'utf8').trim() || readFileSync(logs.out, 'utf8').trim()
  const words = text.split('\n').slice(-QUOTED_LINES).join(' / ')
  if (words === '') return 'it wrote nothing'
  return words.length > QUOTED_LENGTH ? `…${words.slice(-QUOTED_LENGTH)}` : words
}

/**
 * Starts one role in a process group of its own, its output in `logs/` of the run directory, and records it there before
 * anything else can fail. Throws a {@link SetupFault} for a busy port, a missing directory or a command not found.
 */
export async function startRole(
  target: Target,
  entry: RoleToStart,
  run: RunDirectory,
): Promise<StartedRole> {
  await refuseBusyPort(target, entry)
  refuseMissingDirectory(target, entry)
  mkdirSync(join(run.path, 'logs'), { recursive: true })
  const logs = {
    out: join(run.path, 'logs', `${entry.role}.out`),
    err: join(run.path, 'logs', `${entry.role}.err`),
  }
  const [program = '', ...words] = entry.start.command
  const files = [openSync(logs.out, 'a', 0o600), openSync(logs.err, 'a', 0o600)]
  const child = spawn(program, words, {
    cwd: entry.start.cwd,
    env: { ...process.env, ...entry.start.env, ...run.environment },
    detached: true,
    stdio: ['ignore', ...files],
  })
  if (child.pid !== undefined) run.record(child.pid, entry.role, { group: true })
  for (const file of files) closeSync(file)
  if (child.pid === undefined) throw await commandFault(target, entry, child)
  child.unref()
  return { role: entry.role, pid: child.pid, logs, ending: watchEnding(child) }
}
