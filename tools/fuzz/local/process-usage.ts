import { readFileSync } from 'node:fs'

/** What a process has used so far. */
export interface ProcessUsage {
  /** Bytes in memory at most. */
  readonly peakMemory: number
  /** Milliseconds of the processor. */
  readonly cpuMs: number
  /** Whether it works, or would if the processor were free; else it waits for something. */
  readonly isRunning: boolean
}

/** The kernel counts time for programs in hundredths of a second. */
const MS_PER_TICK = 10

/** Undefined where the system does not tell (only Linux does), or the process has ended. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
    // Behind the name, which may hold anything: the state is the first field, user and system time are the 12th and 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      peakMemory: Number(kilobytes) * 1024,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
      isRunning: fields[0] === 'R',
    }
  } catch {
    return undefined
  }
}
