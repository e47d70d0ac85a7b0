import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** USER_HZ, which is 100 on every Linux. */
const TICK_MS = 10

/** Fields of `/proc/PID/stat` behind the name; undefined for a process that has ended. */
function statOf(proc: string, pid: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(join(proc, pid, 'stat'), 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** CPU milliseconds of all processes of a process group, in user and system mode; `proc` is where procfs is mounted. */
export function cpuOfGroup(leader: number, proc = '/proc'): number {
  const ticks = readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(proc, pid)
      return Number(fields?.[2]) === leader ? [Number(fields?.[11]) + Number(fields?.[12])] : []
    })
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS
}
