import { readdirSync, readFileSync } from 'node:fs'

/** One process as /proc shows it. */
export interface ProcessRow {
  readonly pid: number
  /** One letter; `Z` is a process that has ended and waits for its parent. */
  readonly state: string
  readonly group: number
  /** Field 22 of /proc/PID/stat, clock ticks since boot: with the pid it names one process and never another. */
  readonly startTime: string
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // A process that ends between two looks is the normal case, and one of another user is not ours.
    return undefined
  }
}

/** The row of `pid`; undefined when there is no such process, or no /proc. */
export function readProcess(pid: number): ProcessRow | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The program's name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, , group] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return undefined
  return { pid, state, group: Number(group), startTime }
}

/** Every process that has not ended. */
export function listProcesses(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((row) => row !== undefined)
    .filter(({ state }) => state !== 'Z')
}

/** True when `pid` was started with `name=value` in its environment; false also when that may not be read. */
export function hasEnvironment(pid: number, name: string, value: string): boolean {
  const environment = readText(`/proc/${pid}/environ`)
  const wanted = Buffer.from(`${name}=${value}`).toString('latin1')
  return environment?.split('\0').includes(wanted) ?? false
}

/** Names this boot of the machine, since pids and start times begin anew with each. */
export function readBootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
}

/** The words with which `pid` was started; its empty list when they may not be read. */
export function commandOf(pid: number): readonly string[] {
  return readText(`/proc/${pid}/cmdline`)?.split('\0').filter(Boolean) ?? []
}
