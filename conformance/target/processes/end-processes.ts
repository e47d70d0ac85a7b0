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

/** The variable in whose value every process of a run carries the path of its run directory. */
export const RUN_MARK = 'ASSAY_RUN'

/** A process that a run has started, as `processes.json` keeps it. */
export interface OwnedProcess {
  readonly pid: number
  /** True when it leads a process group of its own, which then ends as a whole. */
  readonly group: boolean
  /** In words, for messages: `verifier`, `swtpm of machine-1`. */
  readonly what: string
  readonly start_time: string
}

export interface EndLimits {
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
  /** Milliseconds to wait after SIGKILL. */
  readonly killMs: number
}

export interface Ended {
  /** What was alive at the beginning and is not now. */
  readonly ended: readonly OwnedProcess[]
  /** What outlived even SIGKILL. */
  readonly left: readonly OwnedProcess[]
}

function membersOf(group: number): readonly ProcessRow[] {
  return listProcesses().filter((row) => row.group === group)
}

/**
 * True when the recorded process, or what remains of its group, is there and is the one recorded.
 *
 * The kernel gives no pid away while a group still bears it. So a leader that started at another time proves that the
 * whole group is gone; and when the leader is gone, one member that carries the run's mark vouches for the group.
 */
export function isOurs(recorded: OwnedProcess, run: string): boolean {
  const leader = readProcess(recorded.pid)
  if (leader !== undefined && leader.startTime !== recorded.start_time) return false
  if (!recorded.group) return leader !== undefined && leader.state !== 'Z'
  const members = membersOf(recorded.pid)
  if (members.some(({ pid }) => pid === process.pid)) return false
  return members.some(({ pid }) => leader !== undefined || hasEnvironment(pid, RUN_MARK, run))
}

/** Processes that carry the mark of `run`, whoever started them and whatever group they went to; never the caller itself. */
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

/** True while a process known to be ours runs on; for a group, while any member does. */
function isAlive({ pid, group, start_time }: OwnedProcess): boolean {
  if (group) return membersOf(pid).length > 0
  const row = readProcess(pid)
  return row !== undefined && row.state !== 'Z' && row.startTime === start_time
}

/** Sends a signal to a process or its whole group; one that has just ended is no error. */
export function signalOwned({ pid, group }: OwnedProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(group ? -pid : pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

/**
 * Ends what is still alive of `recorded`: SIGTERM, a wait by polling, SIGKILL. Processes that are not the ones recorded
 * (pid used again) are left alone. `run` is the path of the run directory whose mark they carry.
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
