import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { cat, u16, u32 } from '../tpm/write.ts'
import type { Lab } from './lab.ts'

/** Returns a response of ten bytes: no parameters, one code. */
export function bareResponse(code: number): Uint8Array {
  return cat(u16(0x8001), u32(10), u32(code))
}

/**
 * Starts a socket that answers the n-th data with the n-th reply, and records what it received. `hang` answers
 * nothing.
 */
export async function fakeSwtpm(
  lab: Lab,
  replies: readonly (Uint8Array | 'hang' | 'drop')[],
): Promise<{
  readonly data: Socket
  readonly received: Uint8Array[]
  readonly controlPath: string
}> {
  const path = join(await lab.directory(), 's')
  const received: Uint8Array[] = []
  const server = createServer((client) => {
    client.on('data', (chunk: Buffer) => {
      const reply = replies[received.length] ?? bareResponse(0)
      received.push(new Uint8Array(chunk))
      if (reply === 'drop') client.destroy()
      else if (reply !== 'hang') client.write(reply)
    })
  })
  server.listen(path)
  await once(server, 'listening')
  const data = connect(path)
  await once(data, 'connect')
  lab.later(() => {
    data.destroy()
    server.close()
  })
  return { data, received, controlPath: `${path}.ctrl` }
}
