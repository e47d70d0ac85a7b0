import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { signalOwned } from '../target/end-processes.ts'
import { commandOf, hasEnvironment, listProcesses } from '../target/process-table.ts'

/** The variable by which a process is known to be of these tests: their directory for temporary files is theirs alone. */
const MARK = 'TMPDIR'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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
    for (const { pid } of listProcesses()) endIfMarked(pid, directory)
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  })
  // Not only once, as vitest listens: a terminal, npm and the bootstrap each pass on the same Ctrl-C.
  for (const signal of SIGNALS) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

function endIfMarked(pid: number, directory: string): void {
  if (pid === process.pid || !hasEnvironment(pid, MARK, directory)) return
  const [program, script] = commandOf(pid)
  console.error(`assay: ended ${program} ${script ?? ''} (pid ${pid}), which a test had started`)
  signalOwned({ pid, group: false, what: 'left behind', start_time: '' }, 'SIGKILL')
}
