import { readFileSync } from 'node:fs'
import { SetupFault } from '../../conformance/input/fault.ts'

/** Open files of the command itself and of the measured client. */
const OWN_FILES = 64

/** Throws a {@link SetupFault} if the open-file limit is too low; does nothing if the system does not publish the limit. */
export function checkOpenFiles(connections: number, file = '/proc/self/limits'): void {
  const limit = softLimit(file)
  const needed = connections + OWN_FILES
  if (limit === undefined || limit >= needed) return
  throw new SetupFault(
    `${connections} connections need ${needed} open files, and the limit is ${limit}`,
    { next: `run ulimit -n ${needed} first, or open fewer connections` },
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
