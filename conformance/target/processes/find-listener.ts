import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { commandOf, listProcesses } from './process-table.ts'

const LISTEN = '0A'

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'latin1').split('\n')
  } catch {
    // Without IPv6, or without /proc, the table does not exist.
    return []
  }
}

interface ListeningSocket {
  readonly port: number
  /** The target of a descriptor's link. */
  readonly socket: string
}

/** Every listening socket, from the kernel's tables. */
function listeningSockets(): readonly ListeningSocket[] {
  const rows = [...readLines('/proc/net/tcp'), ...readLines('/proc/net/tcp6')]
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTEN)
    .map(([, local = '', ...rest]) => ({
      port: Number.parseInt(local.split(':').at(-1) ?? '', 16),
      socket: `socket:[${rest[7]}]`,
    }))
}

function listeningInodes(port: number): ReadonlySet<string> {
  return new Set(listeningSockets().flatMap((one) => (one.port === port ? [one.socket] : [])))
}

/** TCP ports on which a process of the group listens, ascending. */
export function portsOfGroup(group: number): readonly number[] {
  const members = listProcesses().filter((row) => row.group === group)
  const held = (socket: string) => members.some(({ pid }) => holdsOne(pid, new Set([socket])))
  const ports = listeningSockets().flatMap(({ port, socket }) => (held(socket) ? [port] : []))
  return [...new Set(ports)].toSorted((one, other) => one - other)
}

/** A descriptor may be closed during the scan; the scan goes on. */
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
    // It ended during the scan, or belongs to another user.
    return false
  }
}

/** The process that listens on a TCP port, such as `node (pid 4711)`; undefined if it cannot be determined. */
export function findListener(port: number): string | undefined {
  const sockets = listeningInodes(port)
  if (sockets.size === 0) return undefined
  const owner = listProcesses().find(({ pid }) => holdsOne(pid, sockets))
  if (owner === undefined) return undefined
  return `${commandOf(owner.pid)[0] ?? 'a process'} (pid ${owner.pid})`
}
