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

interface GroupProcess {
  readonly pid: string
  readonly stat: readonly string[]
}

/** The processes of a group; `proc` is where procfs is mounted. */
function processesOf(leader: number, proc: string): readonly GroupProcess[] {
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = statOf(proc, pid)
      return stat !== undefined && Number(stat[2]) === leader ? [{ pid, stat }] : []
    })
}

/** CPU milliseconds of all processes of a process group, in user and system mode. */
export function cpuOfGroup(leader: number, proc = '/proc'): number {
  const ticks = processesOf(leader, proc).map(({ stat }) => Number(stat[11]) + Number(stat[12]))
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS
}

/** Memory of a process group in kilobytes: of a page that several processes share, each has its part. */
export function memoryOfGroup(leader: number, proc = '/proc'): number {
  const sizes = processesOf(leader, proc).map(({ pid }) => {
    const text = readFileSync(join(proc, pid, 'smaps_rollup'), 'latin1')
    return Number(/^Pss: +(\d+) kB$/m.exec(text)?.[1])
  })
  return sizes.reduce((sum, one) => sum + one, 0)
}
