import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { commandOf, listProcesses } from './process-table.ts'

const LISTEN = '0A'

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'latin1').split('\n')
  } catch {
    // Without IPv6, or without /proc, the table is simply not there.
    return []
  }
}

/** Inodes of the sockets that listen on `port`, from the kernel's tables. */
function listeningInodes(port: number): ReadonlySet<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = [...readLines('/proc/net/tcp'), ...readLines('/proc/net/tcp6')]
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTEN)
  return new Set(listening.map((columns) => `socket:[${columns[9]}]`))
}

/** Descriptors come and go while they are read; one that is gone is no reason not to read the next. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor)
  } catch {
    return ''
  }
}

function holdsOne(pid: number, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) =>
      sockets.has(targetOf(`/proc/${pid}/fd/${fd}`)),
    )
  } catch {
    // It ended while we looked, or belongs to another user.
    return false
  }
}

/** Who listens on a TCP port, in words such as `node (pid 4711)`; undefined when that cannot be seen. */
export function findListener(port: number): string | undefined {
  const sockets = listeningInodes(port)
  if (sockets.size === 0) return undefined
  const owner = listProcesses().find(({ pid }) => holdsOne(pid, sockets))
  if (owner === undefined) return undefined
  return `${commandOf(owner.pid)[0] ?? 'a process'} (pid ${owner.pid})`
}
