import { readFileSync } from 'node:fs'
import { SetupFault } from '../../conformance/input/fault.ts'

/** Files that the command itself has open, and those of the client that is measured. */
const OWN_FILES = 64

/** Refuses to begin what would end in `EMFILE`; where the system does not tell its limit, there is none to check. */
export function checkOpenFiles(connections: number, file = '/proc/self/limits'): void {
  const limit = softLimit(file)
  const needed = connections + OWN_FILES
  if (limit === undefined || limit >= needed) return
  throw new SetupFault(
    `${connections} connections take ${needed} open files, and this process may have ${limit}`,
    { next: `type ulimit -n ${needed} first, or open fewer with --idle and --halves` },
  )
}

function softLimit(file: string): number | undefined {
  try {
    const soft = /^Max open files +(\d+) /m.exec(readFileSync(file, 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
