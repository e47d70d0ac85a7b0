import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SetupFault } from '../../input/fault.ts'
import {
  type EndLimits,
  endProcesses,
  findMarked,
  isOurs,
  type OwnedProcess,
  RUN_MARK,
  signalOwned,
} from './end-processes.ts'
import { readBootId, readProcess } from './process-table.ts'
import { type RunRecord, writeRunRecord } from './run-record.ts'
import { pruneRuns } from './sweep-stale-runs.ts'

export interface RunDirectoryOptions {
  readonly now?: Date
  readonly limits?: EndLimits
}

const LIMITS: EndLimits = { graceMs: 5000, killMs: 2000 }

/** `2026-11-20T17-04-11-123Z-4711`: sorts by age, and is a file name everywhere. */
function nameOf(now: Date): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`
}

function newRecord(run: string): RunRecord {
  const self = readProcess(process.pid)
  if (self === undefined) {
    throw new SetupFault('Assay follows the processes it starts through /proc, which is not here', {
      next: 'run it on Linux, for example in a container',
    })
  }
  return {
    schema: 'assay.processes/1',
    run,
    boot_id: readBootId(),
    runner: { pid: self.pid, start_time: self.startTime },
    socket_directory: null,
    processes: [],
  }
}

function refuseSurvivors(left: readonly OwnedProcess[]): void {
  if (left.length === 0) return
  const names = left.map(({ what, pid }) => `${what} (pid ${pid})`).join(', ')
  throw new SetupFault(`still alive after SIGKILL: ${names}`, { next: 'end it by hand' })
}

/** What each run of this process that is still open does when the process exits. */
const openRuns = new Set<() => void>()

function killOpenRuns(): void {
  for (const killAtExit of openRuns) killAtExit()
}

/**
 * The private place of one run: files of the deployment, sockets, and the list of every process the run has started.
 * Whatever is recorded here ends with {@link close}, or with the runner's own exit, or with the next sweep.
 */
export class RunDirectory {
  /** Absolute, mode 0700. */
  readonly path: string
  /** A short absolute directory for Unix sockets, whose paths may not exceed 107 bytes; mode 0700. */
  readonly sockets: string
  /** Give these to every child: by this mark it is found even when it leaves its process group. */
  readonly environment: Readonly<Record<string, string>>
  readonly #limits: EndLimits
  #record: RunRecord
  #closing: Promise<void> | undefined

  /** Use {@link createRunDirectory}: `record` must already stand in the directory. */
  constructor(record: RunRecord, sockets: string, limits: EndLimits) {
    this.path = record.run
    this.sockets = sockets
    this.environment = { [RUN_MARK]: record.run }
    this.#limits = limits
    this.#record = record
    this.#arm()
  }

  /**
   * Remembers a process just started; call it before anything else can fail. `what` names it in messages.
   * `group` says that it was started as the leader of its own process group (`detached: true`).
   * A process that is gone already is not remembered, unless it may have left a group behind.
   */
  record(pid: number, what: string, options: { readonly group?: boolean } = {}): void {
    // Not idle even after close: a start that was under way when a signal came may still get this far.
    this.#arm()
    const group = options.group ?? false
    const startTime = readProcess(pid)?.startTime
    if (startTime === undefined && !group) return
    const entry = { pid, group, what, start_time: startTime ?? 'gone' }
    this.#write([...this.#others(pid), entry])
  }

  /** Forgets a process that has ended and been waited for. */
  forget(pid: number): void {
    this.#write(this.#others(pid))
  }

  /** Ends one recorded process, with its group, and forgets it. Throws a {@link SetupFault} when it outlives SIGKILL. */
  async end(pid: number): Promise<void> {
    const recorded = this.#record.processes.filter((one) => one.pid === pid)
    refuseSurvivors(await this.#endAll(recorded))
  }

  /**
   * Ends everything still alive that was recorded or carries the run's mark, and removes the socket directory.
   * The run directory itself stays, for its logs. Calling it again waits for the first call.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const recorded = await this.#endAll(this.#record.processes)
    const escaped = await this.#endAll(findMarked(this.path))
    refuseSurvivors([...recorded, ...escaped])
    openRuns.delete(this.#killAtExit)
    this.#removeSockets()
  }

  async #endAll(processes: readonly OwnedProcess[]): Promise<readonly OwnedProcess[]> {
    const { left } = await endProcesses(processes, this.path, this.#limits)
    const done = new Set(processes.filter((one) => !left.includes(one)).map(({ pid }) => pid))
    this.#write(this.#record.processes.filter(({ pid }) => !done.has(pid)))
    return left
  }

  #arm(): void {
    process.off('exit', killOpenRuns)
    process.on('exit', killOpenRuns)
    openRuns.add(this.#killAtExit)
  }

  readonly #killAtExit = (): void => {
    const ours = this.#record.processes.filter((one) => isOurs(one, this.path))
    for (const one of [...ours, ...findMarked(this.path)]) signalOwned(one, 'SIGKILL')
    rmSync(this.sockets, { recursive: true, force: true })
    // Who keeps nothing of a run has removed it by now.
    if (!existsSync(this.path)) return
    this.#write([])
    this.#removeSockets()
  }

  #removeSockets(): void {
    rmSync(this.sockets, { recursive: true, force: true })
    this.#record = { ...this.#record, socket_directory: null }
    writeRunRecord(this.path, this.#record)
  }

  #others(pid: number): readonly OwnedProcess[] {
    return this.#record.processes.filter((one) => one.pid !== pid)
  }

  #write(processes: readonly OwnedProcess[]): void {
    this.#record = { ...this.#record, processes }
    writeRunRecord(this.path, this.#record)
  }
}

/**
 * Makes `<outDir>/runs/<timestamp>-<pid>/` and a short socket directory in the system's temporary directory.
 * The run directory appears under its name only when its record is in it, so that a sweep never sees half of one.
 */
export function createRunDirectory(
  outDir: string,
  options: RunDirectoryOptions = {},
): RunDirectory {
  const runs = resolve(outDir, 'runs')
  const name = nameOf(options.now ?? new Date())
  const path = join(runs, name)
  const draft = join(runs, `.${name}`)
  const record = newRecord(path)
  mkdirSync(draft, { recursive: true })
  chmodSync(draft, 0o700)
  const complete = { ...record, socket_directory: makeSockets() }
  writeRunRecord(draft, complete)
  renameSync(draft, path)
  pruneRuns(outDir)
  return new RunDirectory(complete, complete.socket_directory, options.limits ?? LIMITS)
}

/**
 * Takes over an existing directory, as its owner is over or it never had one: what an earlier run has left in it stays.
 * Ask {@link sweepRunIn} first.
 */
export function takeRunDirectory(path: string, options: RunDirectoryOptions = {}): RunDirectory {
  const record = { ...newRecord(path), socket_directory: makeSockets() }
  writeRunRecord(path, record)
  return new RunDirectory(record, record.socket_directory, options.limits ?? LIMITS)
}

function makeSockets(): string {
  return mkdtempSync(join(tmpdir(), 'assay-'))
}
