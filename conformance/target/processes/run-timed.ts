import { setTimeout as pause } from 'node:timers/promises'
import { presentDuration } from '../../input/duration.ts'
import { SetupFault } from '../../input/fault.ts'
import type { TimedCommand } from '../target.ts'
import type { RunDirectory } from './run-directory.ts'
import { readEnd, sizeOf } from './short-log.ts'
import { lastOutput, spawnRecorded, type Task } from './spawn-recorded.ts'

/** A command that has ended with code 0. */
export interface Done {
  readonly ms: number
  /** Its output on stdout since its start, at most the last 64 KiB. */
  readonly output: string
  readonly logs: { readonly out: string; readonly err: string }
}

interface TimedTask extends Task {
  readonly command: TimedCommand
}

const OUTPUT_LIMIT = 65_536
const OVERDUE = 'overdue'

/**
 * Runs a command to its end. If it fails or exceeds its time limit, its whole process group is ended. Throws a {@link
 * SetupFault} `D-HOOK-FAILED` if it does not exist, fails, or does not end in time.
 */
export async function runTimed(
  task: TimedTask,
  run: RunDirectory,
  env: Readonly<Record<string, string>> = {},
): Promise<Done> {
  const { what, key, file, command } = task
  const before = sizeOf(`${run.path}/logs/${task.log}.out`)
  const began = performance.now()
  const running = await spawnRecorded(task, run, env)
  const timer = new AbortController()
  const late = pause(command.withinMs, OVERDUE, { signal: timer.signal }).catch(() => OVERDUE)
  const code = await Promise.race([running.ended, late])
  timer.abort()
  // A background process of a hook, such as a server that it starts, has the run's mark and ends with the run.
  if (code === 0) run.forget(running.pid)
  else await run.end(running.pid)
  if (code === OVERDUE) {
    const next = `read ${running.logs.err}, or raise ${key}.within in ${file}`
    const sentence = `${what} did not end within ${presentDuration(command.withinMs)}`
    throw new SetupFault(sentence, { code: 'D-HOOK-FAILED', next })
  }
  if (code !== 0) {
    const sentence = `${what} ${running.exitReason()}: ${lastOutput(running)}`
    throw new SetupFault(sentence, { code: 'D-HOOK-FAILED', next: `read ${running.logs.err}` })
  }
  // A log that was shortened meanwhile may have fewer bytes than before.
  const written = sizeOf(running.logs.out) - before
  const output = readEnd(
    running.logs.out,
    written < 0 ? OUTPUT_LIMIT : Math.min(written, OUTPUT_LIMIT),
  )
  return { ms: performance.now() - began, output, logs: running.logs }
}
