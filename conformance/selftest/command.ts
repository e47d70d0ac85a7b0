import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packageRoot } from '../input/package-root.ts'
import type { RunResult } from '../report/result.ts'

/** Exit code and output of a command. */
interface Ending {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ending>
  /** Resolves when the output contains the text; rejects if the command ends first. */
  prints(text: string): Promise<void>
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly root?: string
  /** It leads its own process group, like a command started in a terminal. */
  readonly leads?: boolean
}

const POLL_MS = 20

/** Starts `assay` as a user would. */
export function startAssay(argv: readonly string[], options: CommandOptions = {}): Running {
  const root = options.root ?? packageRoot()
  return startProgram([process.execPath, join(root, 'bin', 'assay.js'), ...argv], {
    ...options,
    root,
  })
}

/** Starts a program in the directory `root`. */
export function startProgram(
  [program = '', ...words]: readonly string[],
  options: CommandOptions & { readonly root: string },
): Running {
  const child = spawn(program, words, {
    cwd: options.root,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.leads ?? false,
  })
  let stdout = ''
  let stderr = ''
  let over = false
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code) => {
      over = true
      resolve({ code, stdout, stderr })
    })
  })
  const prints = async (text: string): Promise<void> => {
    while (!`${stdout}${stderr}`.includes(text)) {
      if (over) throw new Error(`it ended without the output ${text}:\n${stdout}${stderr}`)
      await pause(POLL_MS)
    }
  }
  return { child, ended, prints }
}

export function runAssay(argv: readonly string[], options: CommandOptions = {}): Promise<Ending> {
  return startAssay(argv, options).ended
}

/** A new output directory: runs of other tests do not sweep its runs. */
export function freshOut(): string {
  return mkdtempSync(join(tmpdir(), 'assay-selftest-'))
}

export function readResult(out: string): RunResult {
  return JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as RunResult
}

interface Recorded {
  readonly run: string
  readonly socket_directory: string | null
  readonly processes: readonly { readonly pid: number; readonly what: string }[]
}

/** The process records of every run below an output directory. */
export function readRecords(out: string): readonly Recorded[] {
  const runs = join(out, 'runs')
  if (!existsSync(runs)) return []
  return readdirSync(runs)
    .filter((name) => !name.startsWith('.'))
    .map((name) => JSON.parse(readFileSync(join(runs, name, 'processes.json'), 'utf8')) as Recorded)
}
