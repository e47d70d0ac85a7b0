import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { signalOwned } from '../target/processes/end-processes.ts'
import { commandOf, hasEnvironment, listProcesses } from '../target/processes/process-table.ts'

/** Identifies the processes of these tests: their temporary directory belongs to this run alone. */
const MARK = 'TMPDIR'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const ENDS_WITHIN_MS = 5000
const POLL_MS = 5

/** Other users may pass through it: the database server of a test runs as another user. */
const PASSABLE = 0o711

/**
 * Vitest's global set-up. Tests start servers in process groups of their own, which Ctrl-C does not reach; so when
 * vitest ends, for any reason, every process with the mark is killed and its temporary files are deleted.
 */
export function setup(): void {
  const directory = mkdtempSync(join(tmpdir(), 'assay-tests-'))
  chmodSync(directory, PASSABLE)
  process.env[MARK] = directory
  process.on('exit', () => {
    // Test threads still run at this point: the processes they start from now on have no directory for their files.
    const moved = `${directory}-over`
    renameSync(directory, moved)
    endMarked(directory)
    rmSync(moved, { recursive: true, force: true, maxRetries: 3 })
  })
  // On every signal, as vitest does: a terminal, npm and the bootstrap each forward the same Ctrl-C.
  for (const signal of SIGNALS) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

/** Kills the processes with the mark until none is left or the time is over. */
function endMarked(directory: string): void {
  const deadline = performance.now() + ENDS_WITHIN_MS
  const reported = new Set<number>()
  const marked = () =>
    listProcesses().filter(({ pid }) => pid !== process.pid && hasEnvironment(pid, MARK, directory))
  for (let left = marked(); left.length > 0 && performance.now() < deadline; left = marked()) {
    for (const { pid } of left) {
      if (!reported.has(pid)) report(pid)
      reported.add(pid)
      signalOwned({ pid, group: false, what: 'left behind', start_time: '' }, 'SIGKILL')
    }
    blockFor(POLL_MS)
  }
}

function report(pid: number): void {
  const [program, script] = commandOf(pid)
  console.error(`assay: ended ${program} ${script ?? ''} (pid ${pid}), started by a test`)
}

/** Blocks synchronously: an exiting process cannot wait for a promise. */
function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
