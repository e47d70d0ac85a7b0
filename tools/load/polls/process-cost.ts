import { readFileSync } from 'node:fs'

/** CPU time and memory of a process. */
interface ProcessCost {
  /** CPU time in milliseconds, of all threads, in user and system mode. */
  readonly cpuMs: number
  /** Resident memory in bytes. */
  readonly rss: number
}

/** USER_HZ, which is 100 on every Linux. */
const TICK_MS = 10

/** Reads `/proc/PID/stat` and `status`. */
export function costOf(pid: number): ProcessCost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // Fields 14 and 15, counted after the name in parentheses, which may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return { cpuMs: ticks * TICK_MS, rss: Number(rss ?? 0) * 1024 }
}

/** Growth of the values per minute, by linear regression; `times` are milliseconds. */
export function slopePerMinute(times: readonly number[], values: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
  const [time, value] = [mean(times), mean(values)]
  const both = times.reduce(
    (sum, one, at) => sum + (one - time) * ((values[at] ?? value) - value),
    0,
  )
  const square = times.reduce((sum, one) => sum + (one - time) ** 2, 0)
  return square === 0 ? 0 : (both / square) * 60_000
}
