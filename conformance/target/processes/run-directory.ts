import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { codeOf, reasonOfSystem, SetupFault } from '../../input/fault.ts'
import { makeDirectories } from '../../input/make-directory.ts'
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
import { unmountBelow } from './unmount-below.ts'

interface RunDirectoryOptions {
  readonly now?: Date
  readonly limits?: EndLimits
}

const LIMITS: EndLimits = { graceMs: 5000, killMs: 2000 }

/** `2026-11-20T17-04-11-123Z-4711`: sorts by age, and is a valid file name on every system. */
function nameOf(now: Date): string {
  return `${now.toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`
}

function newRecord(run: string): RunRecord {
  const self = readProcess(process.pid)
  if (self === undefined) {
    throw new SetupFault(
      'Assay needs /proc to find the processes that it starts, and this system has none',
      {
        next: 'run it on Linux, for example in a container',
      },
    )
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

function refuseMounted(left: readonly string[]): void {
  if (left.length === 0) return
  throw new SetupFault(`a process of this run left file systems mounted: ${left.join(', ')}`, {
    next: `unmount them by hand: umount ${left.join(' ')}`,
  })
}

/** Closers of the open runs, called when the process exits. */
const openRuns = new Set<() => void>()

function killOpenRuns(): void {
  for (const killAtExit of openRuns) killAtExit()
}

/**
 * The private directory of one run: files of the deployment, sockets, and the list of processes that the run has
 * started. Recorded processes end with {@link close}, with the runner's exit, or with the next sweep.
 */
export class RunDirectory {
  /** Absolute, mode 0700. */
  readonly path: string
  /** A short absolute directory for Unix sockets, whose paths may not exceed 107 bytes; mode 0700. */
  readonly sockets: string
  /** Pass these to every child: the mark identifies it even after it leaves its process group. */
  readonly environment: Readonly<Record<string, string>>
  readonly #limits: EndLimits
  #record: RunRecord
  #closing: Promise<void> | undefined

  /** Use {@link createRunDirectory}: the directory must already contain `record`. */
  constructor(record: RunRecord, sockets: string, limits: EndLimits) {
    this.path = record.run
    this.sockets = sockets
    this.environment = { [RUN_MARK]: record.run }
    this.#limits = limits
    this.#record = record
    this.#arm()
  }

  /**
   * Records a started process; call it before anything else can fail. `what` names it in messages. `group` means that
   * it leads its own process group (`detached: true`). A process that has already ended is not recorded, unless it
   * may have left a group.
   */
  record(pid: number, what: string, options: { readonly group?: boolean } = {}): void {
    // Also after close: a start that was in progress when a signal arrived may still get here.
    this.#arm()
    const group = options.group ?? false
    const startTime = readProcess(pid)?.startTime
    if (startTime === undefined && !group) return
    const entry = { pid, group, what, start_time: startTime ?? 'gone' }
    this.#write([...this.#others(pid), entry])
  }

  /** Removes a process that has ended and been waited for. */
  forget(pid: number): void {
    this.#write(this.#others(pid))
  }

  /** Ends one recorded process with its group and removes it. Throws a {@link SetupFault} if it survives SIGKILL. */
  async end(pid: number): Promise<void> {
    const recorded = this.#record.processes.filter((one) => one.pid === pid)
    refuseSurvivors(await this.#endAll(recorded))
  }

  /**
   * Ends every process that was recorded or has the run's mark, removes the socket directory, and unmounts what they have
   * mounted below the run directory, which stays, for its logs. A second call waits for the first.
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
    refuseMounted(unmountBelow(this.path))
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
    this.#write([])
    this.#removeSockets()
  }

  #removeSockets(): void {
    rmSync(this.sockets, { recursive: true, force: true })
    this.#save({ ...this.#record, socket_directory: null })
  }

  #others(pid: number): readonly OwnedProcess[] {
    return this.#record.processes.filter((one) => one.pid !== pid)
  }

  #write(processes: readonly OwnedProcess[]): void {
    this.#save({ ...this.#record, processes })
  }

  /** The record in memory ends the processes. That on disk serves later sweeps, and a full disk may refuse it. */
  #save(record: RunRecord): void {
    this.#record = record
    try {
      writeRunRecord(this.path, record)
    } catch (error) {
      if (codeOf(error) === '') throw error
    }
  }
}

/**
 * Makes `<outDir>/runs/<timestamp>-<pid>/` and a short socket directory in the system's temporary directory. The run
 * directory gets its name only when it contains its record, so that a sweep never sees an incomplete one.
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
  const complete = { ...record, socket_directory: makeSockets() }
  try {
    makeDirectories(draft)
    chmodSync(draft, 0o700)
    writeRunRecord(draft, complete)
    renameSync(draft, path)
  } catch (cause) {
    rmSync(complete.socket_directory, { recursive: true, force: true })
    throw new SetupFault(`cannot write to ${outDir}: ${reasonOfSystem(cause)}`, {
      next: 'free disk space, or name another directory with --out',
      cause,
    })
  }
  pruneRuns(outDir)
  return new RunDirectory(complete, complete.socket_directory, options.limits ?? LIMITS)
}

/**
 * Takes over an existing directory whose owner has ended, or that never had one; its files stay. Call {@link
 * sweepRunIn} first.
 */
export function takeRunDirectory(path: string, options: RunDirectoryOptions = {}): RunDirectory {
  const record = { ...newRecord(path), socket_directory: makeSockets() }
  writeRunRecord(path, record)
  return new RunDirectory(record, record.socket_directory, options.limits ?? LIMITS)
}

function makeSockets(): string {
  return mkdtempSync(join(tmpdir(), 'assay-'))
}
