import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { signalOwned } from '../target/processes/end-processes.ts'
import { commandOf, hasEnvironment, listProcesses } from '../target/processes/process-table.ts'

/** The variable by which a process is known to be of these tests: their directory for temporary files is theirs alone. */
const MARK = 'TMPDIR'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const ENDS_WITHIN_MS = 5000
const LOOK_EACH_MS = 5

/** Everybody may go through it, since a database of a test runs as somebody else. */
const PASSABLE = 0o711

/**
 * Vitest's global set-up. Tests start servers in process groups of their own, which no Ctrl-C reaches; so when vitest
 * ends, however it does, whatever carries the mark ends with it, and its temporary files go.
 */
export function setup(): void {
  const directory = mkdtempSync(join(tmpdir(), 'assay-tests-'))
  chmodSync(directory, PASSABLE)
  process.env[MARK] = directory
  process.on('exit', () => {
    // The threads of the tests go on meanwhile: what they start from now on finds no place for its files.
    const moved = `${directory}-over`
    renameSync(directory, moved)
    endMarked(directory)
    rmSync(moved, { recursive: true, force: true, maxRetries: 3 })
  })
  // Not only once, as vitest listens: a terminal, npm and the bootstrap each pass on the same Ctrl-C.
  for (const signal of SIGNALS) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

/** Ends whatever carries the mark, and looks again until nothing does, or the time is over. */
function endMarked(directory: string): void {
  const deadline = performance.now() + ENDS_WITHIN_MS
  const told = new Set<number>()
  const marked = () =>
    listProcesses().filter(({ pid }) => pid !== process.pid && hasEnvironment(pid, MARK, directory))
  for (let left = marked(); left.length > 0 && performance.now() < deadline; left = marked()) {
    for (const { pid } of left) {
      if (!told.has(pid)) tell(pid)
      told.add(pid)
      signalOwned({ pid, group: false, what: 'left behind', start_time: '' }, 'SIGKILL')
    }
    blockFor(LOOK_EACH_MS)
  }
}

function tell(pid: number): void {
  const [program, script] = commandOf(pid)
  console.error(`assay: ended ${program} ${script ?? ''} (pid ${pid}), which a test had started`)
}

/** At its exit a process can wait for nothing else. */
function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
