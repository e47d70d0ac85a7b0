import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'
import { codeOf, SetupFault } from '../../input/fault.ts'

const ATTEMPTS_PER_PORT = 50

const SLICES = 64

/** Ports of which each thread has a slice of its own. */
interface PortRange {
  readonly first: number
  /** Number of ports of a slice. */
  readonly width: number
  /** Ports that were returned recently and may not be open yet. */
  readonly given: Set<number>
}

function portRange(first: number, end: number): PortRange {
  return { first, width: Math.floor((end - first) / SLICES), given: new Set() }
}

/** Below and above the ephemeral ports of Linux, so that no outgoing connection takes one of these. */
const RANGES = { low: portRange(15_000, 32_768), high: portRange(61_000, 65_536) }

/** The port range with which the search of a thread begins. Process ids and thread ids are consecutive, so they use different steps. */
export function sliceOf(pid: number, thread: number): number {
  return (pid + thread * (SLICES / 2 - 1)) % SLICES
}

/** The sockets that hold a slice as long as this thread lives. */
const claims: Server[] = []
let own: Promise<number> | undefined

/**
 * A slice of ports that no other process or thread of this machine uses: a port is not reserved until a process listens
 * on it. An abstract socket holds it, which the system closes with the process; only Linux has them.
 */
export async function claimSlice(
  first: number = sliceOf(process.pid, threadId),
  name = 'assay-ports',
): Promise<number> {
  const slices = Array.from({ length: SLICES }, (_, at) => (first + at) % SLICES)
  for (const slice of process.platform === 'linux' ? slices : []) {
    const socket = createServer().listen(`\0${name}-${slice}`)
    const isOurs = await once(socket, 'listening').then(
      () => true,
      () => false,
    )
    if (!isOurs) continue
    claims.push(socket.unref())
    return slice
  }
  return first
}

function randomPort(slice: number, range: PortRange): number {
  const port = range.first + slice * range.width + randomInt(range.width)
  return range.given.has(port) ? randomPort(slice, range) : port
}

function remember(port: number, { given, width }: PortRange): void {
  given.add(port)
  for (const oldest of given) if (given.size > width / 2) given.delete(oldest)
}

async function bind(port: number, host: string): Promise<Server> {
  const server = createServer()
  server.listen({ port, host, exclusive: true })
  await once(server, 'listening')
  return server
}

async function release(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** Why nothing can listen on `port` of `host`: a Node error code such as `EADDRINUSE`; undefined if it is free. */
export async function portTrouble(port: number, host: string): Promise<string | undefined> {
  try {
    await release(await bind(port, host))
    return undefined
  } catch (error) {
    return codeOf(error) || 'unknown'
  }
}

/**
 * Whether a process listens on `port` of 127.0.0.1. Use this to wait for a server: {@link portTrouble} holds the port for
 * a moment, and a server that starts in that moment finds it busy.
 */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}

async function bindAny(
  pick: () => number,
): Promise<{ readonly port: number; readonly server: Server }> {
  for (let attempt = 0; attempt < ATTEMPTS_PER_PORT; attempt++) {
    const port = pick()
    try {
      return { port, server: await bind(port, '127.0.0.1') }
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
  }
  throw new SetupFault(`no free port on 127.0.0.1 in ${ATTEMPTS_PER_PORT} attempts`, {
    code: 'D-PORT-BUSY',
    next: 'end the processes that listen on so many ports',
  })
}

/**
 * `count` different ports of 127.0.0.1 that were free a moment ago, below the ephemeral ports or above. All stay open
 * until the last is found. In place of a range, a function proposes each port: pass a seeded one to repeat a run.
 */
export async function freePorts(
  count: number,
  from: keyof typeof RANGES | (() => number) = 'low',
): Promise<readonly number[]> {
  own ??= claimSlice()
  const slice = await own
  const range = typeof from === 'string' ? RANGES[from] : RANGES.low
  const propose = typeof from === 'string' ? () => randomPort(slice, range) : from
  const held: { readonly port: number; readonly server: Server }[] = []
  try {
    while (held.length < count) held.push(await bindAny(propose))
    for (const { port } of held) remember(port, range)
    return held.map(({ port }) => port)
  } finally {
    await Promise.all(held.map(({ server }) => release(server)))
  }
}
