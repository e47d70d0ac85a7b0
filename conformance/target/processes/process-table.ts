import { readdirSync, readFileSync } from 'node:fs'

/** A process as /proc shows it. */
export interface ProcessRow {
  readonly pid: number
  /** True if every thread has ended, and with them the files and ports of the process. */
  readonly hasEnded: boolean
  readonly group: number
  /** Field 22 of /proc/PID/stat, clock ticks since boot; together with the pid it identifies a process. */
  readonly startTime: string
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // A process may end during the scan, and those of other users are not readable.
    return undefined
  }
}

/** The row of `pid`; undefined without such a process, or without /proc. */
export function readProcess(pid: number): ProcessRow | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The program's name is in parentheses and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, , group] = fields
  const [threads, , startTime] = fields.slice(17)
  if (startTime === undefined) return undefined
  // The first thread of a process is shown as a zombie while others of it still run and hold its ports.
  const hasEnded = state === 'Z' && Number(threads) <= 1
  return { pid, hasEnded, group: Number(group), startTime }
}

/** Every process that has not ended. */
export function listProcesses(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((row) => row !== undefined)
    .filter(({ hasEnded }) => !hasEnded)
}

/** True if `pid` was started with `name=value` in its environment; false if that is not readable. */
export function hasEnvironment(pid: number, name: string, value: string): boolean {
  const environment = readText(`/proc/${pid}/environ`)
  const wanted = Buffer.from(`${name}=${value}`).toString('latin1')
  return environment?.split('\0').includes(wanted) ?? false
}

/** The id of this boot: pids and start times begin again with each boot. */
export function readBootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

/** The command line of `pid`; empty if it is not readable. */
export function commandOf(pid: number): readonly string[] {
  return readText(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean) ?? []
}
