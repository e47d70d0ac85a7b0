import type { Socket } from 'node:net'
import { SwtpmError } from './errors.ts'
import { FrameSplitter } from './frames.ts'

interface Waiting {
  readonly resolve: (response: Uint8Array) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** One data connection to swtpm. Only one command may be in flight, since swtpm confuses the responses of two. */
export class Channel {
  readonly #socket: Socket
  readonly #deadlineMs: number
  readonly #frames = new FrameSplitter()
  #waiting: Waiting | undefined
  #broken: Error | undefined

  constructor(socket: Socket, deadlineMs: number) {
    this.#socket = socket
    this.#deadlineMs = deadlineMs
    socket.on('data', this.#receive)
    socket.on('error', this.#fail)
    socket.on('close', this.#end)
  }

  /** Sends a command and returns the response. Rejects with SwtpmError `closed` or `timeout`. */
  exchange(command: Uint8Array): Promise<Uint8Array> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(), this.#deadlineMs)
      this.#waiting = { resolve, reject, timer }
      this.#socket.write(command)
    })
  }

  /** Stops using the connection, which stays open. */
  leave(): void {
    this.#socket.off('data', this.#receive)
    this.#socket.off('error', this.#fail)
    this.#socket.off('close', this.#end)
  }

  readonly #receive = (chunk: Buffer): void => {
    const frames = this.#frames.push(chunk)
    if (frames === undefined)
      this.#break(
        new SwtpmError(
          'closed',
          'the response is not from a TPM; check that the socket belongs to swtpm',
        ),
      )
    for (const frame of frames ?? []) this.#take()?.resolve(frame)
  }

  readonly #fail = (cause: Error): void => {
    this.#break(new SwtpmError('closed', cause.message, { cause }))
  }

  readonly #end = (): void => {
    this.#break(new SwtpmError('closed', 'the TPM has been closed'))
  }

  #expire(): void {
    const message = `the TPM did not answer within ${this.#deadlineMs} ms`
    this.#break(new SwtpmError('timeout', message))
  }

  /** Stops all sending: a late response would be taken for that of the next command. */
  #break(error: Error): void {
    this.#broken ??= error
    this.#socket.destroy()
    this.#take()?.reject(this.#broken)
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    clearTimeout(waiting?.timer)
    return waiting
  }
}
