import { readFileSync, readlinkSync } from 'node:fs'

/** Milliseconds of a tick in which Linux counts: programs see 100 of them per second, whatever the kernel has. */
const TICK = 10

/** Fields of `/proc/…/stat` behind the name of the program, which may have blanks: state is the first of them. */
const USER_TIME = 11
const SYSTEM_TIME = 12

/** The system's number of the calling thread; undefined where there is no `/proc`. */
export function ownThread(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}

/** Milliseconds of CPU that a thread of this process has had, by default the calling one; undefined if that is not known. */
export function threadTime(thread?: number): number | undefined {
  const place = thread === undefined ? 'thread-self' : `self/task/${thread}`
  try {
    const stat = readFileSync(`/proc/${place}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK
  } catch {
    return undefined
  }
}
