import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** What a process has used so far. */
interface ProcessUsage {
  /** Bytes in memory at most. */
  readonly peakMemory: number
  /** Milliseconds of the processor. */
  readonly cpuMs: number
  /** Whether it works, or would if the processor were free; else it waits for something. */
  readonly isRunning: boolean
}

/** The kernel counts time for programs in hundredths of a second. */
const MS_PER_TICK = 10

/** Undefined where the system does not tell (only Linux does), or the process has ended. */
function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
    // Behind the name, which may hold anything: the state is the first field, user and system time are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      peakMemory: Number(kilobytes) * 1024,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
      isRunning: fields[0] === 'R',
    }
  } catch {
    return undefined
  }
}

/** How an evaluator is started: a program with its arguments, or a line for the shell. */
export type EvaluatorCommand = readonly string[] | string

/** What a running program reports. */
export interface ProgramEvents {
  readonly onLine: (line: string) => void
  /** It has ended by itself; `how` is in words. */
  readonly onEnd: (how: string) => void
}

/** One process of an evaluator. */
export interface Program {
  readonly write: (line: string) => void
  /** Undefined where the system does not tell. */
  readonly usage: () => ProcessUsage | undefined
  /** Ends its input, and resolves once it has ended by itself, which is not reported. */
  end(): Promise<void>
  /** Ends it, and resolves once it has ended; nothing is reported from then on. */
  stop(): Promise<void>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const LAST_WORDS = 2000
/** Characters of an answer at most. */
const LONGEST_LINE = 16 << 20

function start(command: EvaluatorCommand): Child {
  const [program = '', ...words] =
    typeof command === 'string' ? ['/bin/sh', '-c', `exec ${command}`] : command
  // In a process group of its own: Ctrl-C at a terminal is for the fuzzer, which ends the group.
  return spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
}

/** Ends the group of a child that is still there; its id stays taken until its end has been seen. */
function kill({ pid, exitCode, signalCode }: Child): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended a moment ago.
  }
}

function endingOf(code: number | null, signal: string | null, words: string): string {
  const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
  const [first = ''] = words.trim().split('\n')
  return first === '' ? how : `${how}: ${first}`
}

/** Calls `onLine` with every line, and `onLong` instead if one does not end. */
function eachLine(input: Readable, onLine: (line: string) => void, onLong: () => void): void {
  let held = ''
  input.setEncoding('utf8')
  let isCut = false
  input.on('data', (chunk: string) => {
    if (isCut) return
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      onLine(`${held}${line}`)
      held = ''
    }
    held += last
    if (held.length <= LONGEST_LINE) return
    held = ''
    isCut = true
    onLong()
  })
  input.on('end', () => {
    if (held !== '') onLine(held)
  })
}

/** Starts a program that answers each line with a line. Its end is reported once all that it wrote has been. */
export function startProgram(command: EvaluatorCommand, { onLine, onEnd }: ProgramEvents): Program {
  const child = start(command)
  let stopped = false
  let ending = false
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-LAST_WORDS)
  })
  // A program that has gone does not read; its end says so.
  child.stdin.on('error', () => undefined)
  eachLine(
    child.stdout,
    (line) => {
      if (!stopped) onLine(line)
    },
    () => {
      kill(child)
      words = `it printed a line of more than ${LONGEST_LINE} characters`
    },
  )
  const closed = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      if (!stopped) onEnd(`cannot be started: ${error.message}`)
      resolve()
    })
    child.once('close', (code, signal) => {
      if (!stopped && !ending) onEnd(endingOf(code, signal, words))
      resolve()
    })
  })
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    usage: () => (child.pid === undefined ? undefined : processUsage(child.pid)),
    async end() {
      ending = true
      child.stdin.end()
      await closed
    },
    async stop() {
      stopped = true
      kill(child)
      await closed
    },
  }
}
