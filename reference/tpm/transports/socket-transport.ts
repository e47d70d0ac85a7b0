import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { concat } from '../../bytes/writer.ts'
import type { TpmPlace } from './parse-tcti.ts'
import {
  HEADER_SIZE,
  RESPONSE_MAX,
  TpmSilent,
  TpmUnreachable,
  type Transport,
} from './transport.ts'

type SocketPlace = Exclude<TpmPlace, { readonly kind: 'device' }>

/**
 * A TPM behind a TCP or Unix socket, as swtpm serves its data channel. The connection is kept, and opened again for the
 * next command when it ended in between.
 *
 * @param deadlineMs how long one command may take; making an RSA key takes a virtual TPM seconds
 */
export function socketTransport(place: SocketPlace, deadlineMs: number): Transport {
  let socket: Socket | undefined
  return {
    async exchange(command) {
      if (socket === undefined || socket.destroyed || socket.readableEnded)
        socket = await open(place)
      try {
        return await answerOf(socket, command, deadlineMs)
      } catch (cause) {
        // A late answer would be mistaken for that of the next command.
        socket.destroy()
        throw cause
      }
    },
    async close() {
      socket?.destroy()
    },
  }
}

async function open(place: SocketPlace): Promise<Socket> {
  const socket =
    place.kind === 'unix' ? connect(place.path) : connect(place.port, place.host).setNoDelay()
  try {
    await once(socket, 'connect')
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    throw new TpmUnreachable(`no TPM answers at ${nameOf(place)} (${code})`, { cause })
  }
  // A pending exchange gets the error itself; without this listener a reset in between would end the process.
  return socket.on('error', () => undefined)
}

function nameOf(place: SocketPlace): string {
  return place.kind === 'unix' ? place.path : `${place.host}:${place.port}`
}

function answerOf(socket: Socket, command: Uint8Array, deadlineMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let held: Uint8Array = new Uint8Array()
    const settle = (end: () => void) => {
      clearTimeout(timer)
      socket.off('data', take).off('close', lose)
      end()
    }
    const fail = (why: string, Fault = TpmUnreachable) => settle(() => reject(new Fault(why)))
    const tooLong = `the TPM did not answer in ${deadlineMs} ms`
    const timer = setTimeout(() => fail(tooLong, TpmSilent), deadlineMs)
    const lose = () => fail('the connection to the TPM ended before it had answered')
    const take = (chunk: Uint8Array) => {
      held = concat(held, chunk)
      const size = sizeIn(held)
      if (size === undefined || held.length < size) return
      if (size < HEADER_SIZE || size > RESPONSE_MAX || held.length > size)
        return fail('what answered is no TPM')
      settle(() => resolve(held))
    }
    socket.on('data', take).once('close', lose)
    socket.write(command)
  })
}

/** The size in the header of a response; undefined while the header is incomplete. */
function sizeIn(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_SIZE) return undefined
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(2)
}
