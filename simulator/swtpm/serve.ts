import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Transmit } from '../tpm/command.ts'
import { TPM_ST } from '../tpm/constants.ts'
import { TPM_RC } from '../tpm/response-code.ts'
import { cat, u16, u32 } from '../tpm/write.ts'
import { SwtpmError } from './errors.ts'
import { FrameSplitter } from './frames.ts'

/** A pair of sockets, data and control, at which other programs reach the same TPM. */
export interface Endpoint {
  /** Argument of `tpm2_… -T`: `swtpm:path=…` or `swtpm:host=127.0.0.1,port=…`. */
  readonly tcti: string
  /** Data port of a TCP endpoint (control is the next one); 0 for a Unix endpoint. */
  readonly port: number
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const PORT_TRIES = 64
const COMMAND_SIZE_ERROR = cat(u16(TPM_ST.NO_SESSIONS), u32(10), u32(TPM_RC.COMMAND_SIZE))

function answerClient(client: Socket, transmit: Transmit): void {
  const frames = new FrameSplitter()
  client.on('data', (chunk: Buffer) => {
    const commands = frames.push(chunk)
    if (commands === undefined) return client.end(COMMAND_SIZE_ERROR)
    for (const command of commands) {
      transmit(command).then(
        (response) => client.write(response),
        () => client.destroy(),
      )
    }
  })
}

/** Connects a client to swtpm's control socket; settles when both sides are closed. */
async function joinControl(client: Socket, controlPath: string): Promise<void> {
  if (client.destroyed) return
  const upstream = connect(controlPath)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  await new Promise((resolve) => upstream.on('close', resolve))
}

/** Takes over a connection and serves it later. */
type Serve = (client: Socket) => void

/** The control port, used by one client at a time. */
interface ControlQueue {
  readonly serve: Serve
  /** Waits until the port is free, and settles as `use` does. */
  inTurn<T>(use: () => Promise<T>): Promise<T>
}

/**
 * Passes clients of the control port to swtpm one after the other, across endpoints. swtpm serves one, and its
 * backlog holds few more: a connect to a full backlog fails with EAGAIN.
 */
export function controlQueue(controlPath: string): ControlQueue {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(use: () => Promise<T>): Promise<T> => {
    const next = last.then(use)
    last = next.catch(() => undefined)
    return next
  }
  return { inTurn, serve: (client) => void inTurn(() => joinControl(client, controlPath)) }
}

/** A server that tracks its connections, so that it closes promptly. */
class Listener {
  readonly server: Server
  readonly #clients = new Set<Socket>()

  constructor(serve: Serve) {
    this.server = createServer({ noDelay: true }, (client) => {
      this.#clients.add(client)
      client.on('close', () => this.#clients.delete(client))
      client.on('error', () => client.destroy())
      serve(client)
    })
  }

  async listen(at: string | number): Promise<number> {
    if (typeof at === 'string') this.server.listen(at)
    else this.server.listen(at, LOOPBACK)
    await once(this.server, 'listening')
    return typeof at === 'string' ? 0 : (this.server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    if (!this.server.listening) return
    const closed = once(this.server, 'close')
    this.server.close()
    for (const client of this.#clients) client.destroy()
    await closed
  }
}

function listeners(transmit: Transmit, control: Serve): [data: Listener, control: Listener] {
  return [new Listener((client) => answerClient(client, transmit)), new Listener(control)]
}

/** Serves the TPM at `path` and `<path>.ctrl`. */
export async function serveUnix(
  transmit: Transmit,
  serveControl: Serve,
  path: string,
): Promise<Endpoint> {
  const [data, control] = listeners(transmit, serveControl)
  await data.listen(path)
  await control.listen(`${path}.ctrl`)
  const close = async () => {
    await Promise.all([data.close(), control.close()])
    await Promise.all([path, `${path}.ctrl`].map((socket) => rm(socket, { force: true })))
  }
  return { tcti: `swtpm:path=${path}`, port: 0, close }
}

/** Serves the TPM at two adjacent free loopback ports. Throws SwtpmError `no-port`. */
export async function serveTcp(transmit: Transmit, serveControl: Serve): Promise<Endpoint> {
  for (let tries = 0; tries < PORT_TRIES; tries += 1) {
    const [data, control] = listeners(transmit, serveControl)
    const port = await data.listen(0)
    try {
      await control.listen(port + 1)
    } catch {
      await data.close() // the adjacent port is taken, or exceeds 65535
      continue
    }
    const close = async () => void (await Promise.all([data.close(), control.close()]))
    return { tcti: `swtpm:host=${LOOPBACK},port=${port}`, port, close }
  }
  throw new SwtpmError(
    'no-port',
    `no two adjacent ports of ${LOOPBACK} are free; end other programs that listen there`,
  )
}
