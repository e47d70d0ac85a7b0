import { basename } from 'node:path'
import { until } from '../../attempt/poll.ts'
import { codeOf } from '../../input/fault.ts'
import {
  commandOf,
  hasEnvironment,
  listProcesses,
  type ProcessRow,
  readProcess,
} from './process-table.ts'

/** The variable that carries the path of the run directory in every process of a run. */
export const RUN_MARK = 'ASSAY_RUN'

/** A process that a run has started, as stored in `processes.json`. */
export interface OwnedProcess {
  readonly pid: number
  /** True if it leads its own process group, which then ends as a whole. */
  readonly group: boolean
  /** A name for messages: `verifier`, `swtpm of machine-1`. */
  readonly what: string
  readonly start_time: string
}

export interface EndLimits {
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** Milliseconds to wait after SIGKILL. */
  readonly killMs: number
}

interface Ended {
  /** The processes that were alive at the beginning and have ended. */
  readonly ended: readonly OwnedProcess[]
  /** The processes that survived SIGKILL. */
  readonly left: readonly OwnedProcess[]
}

/** Processes of a group that have not ended. All of /proc is read only if the kernel knows the group. */
function membersOf(group: number): readonly ProcessRow[] {
  try {
    process.kill(-group, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return []
  }
  return listProcesses().filter((row) => row.group === group)
}

/**
 * True if the recorded process, or the rest of its group, exists and is the recorded one.
 *
 * The kernel does not reuse a pid while a group has it as its id. So a leader with another start time proves that the
 * whole group has ended; and if the leader has ended, one member with the run's mark identifies the group.
 */
export function isOurs(recorded: OwnedProcess, run: string): boolean {
  const leader = readProcess(recorded.pid)
  if (leader !== undefined && leader.startTime !== recorded.start_time) return false
  if (!recorded.group) return leader?.hasEnded === false
  if (readProcess(process.pid)?.group === recorded.pid) return false
  if (leader?.hasEnded === false && leader.group === recorded.pid) return true
  const members = membersOf(recorded.pid)
  return members.some(({ pid }) => leader !== undefined || hasEnvironment(pid, RUN_MARK, run))
}

/**
 * Processes with the mark of `run`, including grandchildren and processes in other groups; never the caller.
 */
export function findMarked(run: string): readonly OwnedProcess[] {
  return listProcesses()
    .filter(({ pid }) => pid !== process.pid && hasEnvironment(pid, RUN_MARK, run))
    .map(({ pid, startTime }) => ({
      pid,
      group: false,
      what: basename(commandOf(pid)[0] ?? 'process'),
      start_time: startTime,
    }))
}

/** True while the process runs; for a group, while any member runs. */
function isAlive({ pid, group, start_time }: OwnedProcess): boolean {
  const row = readProcess(pid)
  const isRunning = row?.hasEnded === false && row.startTime === start_time
  return isRunning || (group && membersOf(pid).length > 0)
}

/** Sends a signal to a process or its whole group; a process that has just ended is no error. */
export function signalOwned({ pid, group }: OwnedProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(group ? -pid : pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

/**
 * Ends the processes of `recorded` that are still alive: SIGTERM, polling, SIGKILL. Processes that only have the same
 * pid are left alone. `run` is the path of the run directory that is their mark.
 */
export async function endProcesses(
  recorded: readonly OwnedProcess[],
  run: string,
  limits: EndLimits,
): Promise<Ended> {
  const ours = recorded.filter((one) => isOurs(one, run))
  let alive: readonly OwnedProcess[] = ours
  const noneAlive = () => {
    alive = alive.filter(isAlive)
    return alive.length === 0
  }
  for (const one of alive) signalOwned(one, 'SIGTERM')
  if (!(await until(noneAlive, { withinMs: limits.graceMs }))) {
    for (const one of alive) signalOwned(one, 'SIGKILL')
    await until(noneAlive, { withinMs: limits.killMs })
  }
  return { ended: ours.filter((one) => !alive.includes(one)), left: alive }
}
