import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'
import { codeOf, SetupFault } from '../../input/fault.ts'

const ATTEMPTS_PER_PORT = 50

/** Below the range from which the kernel takes ports for outgoing connections, so that none of those gets there first. */
const FIRST = 15_000
const SLICES = 64
const WIDTH = Math.floor((32_768 - FIRST) / SLICES)

/** What was given lately, and perhaps is not listened on yet. */
const given = new Set<number>()
const REMEMBERED = WIDTH / 2

/** The slice of a thread. Processes and threads are numbered one after the other, so the two take steps of other widths. */
export function sliceOf(pid: number, thread: number): number {
  return (pid + thread * (SLICES / 2 - 1)) % SLICES
}

const OWN = FIRST + sliceOf(process.pid, threadId) * WIDTH

/** Who look at the same time have slices of their own: between looking and listening nobody holds a port. */
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

/** Why nothing can listen on `port` of `host`: a Node error code such as `EADDRINUSE`; undefined when it is free. */
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
    next: 'end what holds so many ports',
  })
}

/**
 * `count` different ports of 127.0.0.1 on which nothing listened a moment ago. All are held until the last is found.
 * `pick` proposes a port; give a seeded one to repeat a run.
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
