import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'
import { codeOf, SetupFault } from '../../input/fault.ts'

const ATTEMPTS_PER_PORT = 50

/** Below the range of ephemeral ports, so that no outgoing connection takes one of these. */
const FIRST = 15_000
const SLICES = 64
const WIDTH = Math.floor((32_768 - FIRST) / SLICES)

/** Ports that were returned recently and may not be open yet. */
const given = new Set<number>()
const REMEMBERED = WIDTH / 2

/** The port range of a thread. Process ids and thread ids are consecutive, so they use different steps. */
export function sliceOf(pid: number, thread: number): number {
  return (pid + thread * (SLICES / 2 - 1)) % SLICES
}

const OWN = FIRST + sliceOf(process.pid, threadId) * WIDTH

/** Concurrent processes use different ranges, since a port is not reserved until a process listens on it. */
function randomPort(): number {
  const port = OWN + randomInt(WIDTH)
  return given.has(port) ? randomPort() : port
}

function remember(port: number): void {
  given.add(port)
  for (const oldest of given) if (given.size > REMEMBERED) given.delete(oldest)
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
 * `count` different ports of 127.0.0.1 that were free a moment ago. All stay open until the last is found. `pick`
 * proposes a port; pass a seeded function to repeat a run.
 */
export async function freePorts(
  count: number,
  pick: () => number = randomPort,
): Promise<readonly number[]> {
  const held: { readonly port: number; readonly server: Server }[] = []
  try {
    while (held.length < count) held.push(await bindAny(pick))
    for (const { port } of held) remember(port)
    return held.map(({ port }) => port)
  } finally {
    await Promise.all(held.map(({ server }) => release(server)))
  }
}
