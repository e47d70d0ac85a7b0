import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { SetupFault } from '../../input/fault.ts'
import { type EndLimits, endProcesses, findMarked, type OwnedProcess } from './end-processes.ts'
import { readBootId, readProcess } from './process-table.ts'
import { type RunRecord, readRunRecord, writeRunRecord } from './run-record.ts'
import { unmountBelow } from './unmount-below.ts'

const LIMITS: EndLimits = { graceMs: 3000, killMs: 2000 }
const KEPT_RUNS = 10

interface StoredRun {
  readonly directory: string
  readonly record: RunRecord
}

/** Run directories with a record, oldest first; other entries are ignored. */
function listRuns(outDir: string): readonly StoredRun[] {
  const runs = resolve(outDir, 'runs')
  if (!existsSync(runs)) return []
  return readdirSync(runs)
    .filter((name) => /^\d{4}-.*Z-\d+$/.test(name))
    .sort()
    .map((name) => join(runs, name))
    .map((directory) => ({ directory, record: readRunRecord(directory) }))
    .filter((run): run is StoredRun => run.record !== undefined)
}

function isRunnerAlive({ runner, boot_id }: RunRecord): boolean {
  const row = readProcess(runner.pid)
  const same = row?.startTime === runner.start_time && boot_id === readBootId()
  return same && row?.hasEnded === false
}

function isOver({ processes, socket_directory }: RunRecord): boolean {
  return processes.length === 0 && socket_directory === null
}

function removeSockets(directory: string | null): void {
  if (directory === null || !/^assay-\w{6}$/.test(basename(directory))) return
  rmSync(directory, { recursive: true, force: true })
}

/** Pids and start times begin again with each boot, so a record of an earlier boot identifies no process. */
function leftOvers(record: RunRecord): readonly OwnedProcess[] {
  return record.boot_id === readBootId() ? record.processes : []
}

function lineOf(runner: number, ended: readonly OwnedProcess[]): string {
  const names = ended.map(({ what, pid }) => `${what} (pid ${pid})`).join(', ')
  return `ended the processes of a killed run (pid ${runner}): ${names}`
}

async function sweepRun({ directory, record }: StoredRun): Promise<string | undefined> {
  const recorded = await endProcesses(leftOvers(record), record.run, LIMITS)
  const escaped = await endProcesses(findMarked(record.run), record.run, LIMITS)
  const left = [...recorded.left, ...escaped.left]
  removeSockets(record.socket_directory)
  unmountBelow(record.run)
  writeRunRecord(directory, { ...record, socket_directory: null, processes: left })
  const ended = [...recorded.ended, ...escaped.ended]
  return ended.length === 0 ? undefined : lineOf(record.runner.pid, ended)
}

/** Deletes all but the newest ten run directories; an open run always stays. */
export function pruneRuns(outDir: string): void {
  const old = listRuns(outDir).slice(0, -KEPT_RUNS)
  for (const { directory, record } of old) {
    if (isOver(record)) rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Ends the processes of runs whose runner no longer exists, even after SIGKILL, removes their socket directories, and
 * keeps the ten newest run directories. Returns one line per run that still had processes.
 */
export async function sweepStaleRuns(outDir: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const run of listRuns(outDir)) {
    if (isOver(run.record) || isRunnerAlive(run.record)) continue
    const line = await sweepRun(run)
    if (line !== undefined) lines.push(line)
  }
  pruneRuns(outDir)
  return lines
}

/** The same for one run directory that is to be taken over. Throws a {@link SetupFault} while its runner is alive. */
export async function sweepRunIn(directory: string): Promise<string | undefined> {
  const record = readRunRecord(directory)
  if (record === undefined) return undefined
  if (isRunnerAlive(record) && record.runner.pid !== process.pid)
    throw new SetupFault(`${directory} is in use by another Assay, pid ${record.runner.pid}`, {
      next: 'end that process, or use another directory',
    })
  return isOver(record) ? undefined : sweepRun({ directory, record })
}
