import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { codeOf, SetupFault } from './fault.ts'

const ATTEMPTS_PER_PORT = 50

/** Below the range from which the kernel takes ports for outgoing connections, so that none of those gets there first. */
function randomPort(): number {
  return randomInt(15_000, 32_768)
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
    return held.map(({ port }) => port)
  } finally {
    await Promise.all(held.map(({ server }) => release(server)))
  }
}
