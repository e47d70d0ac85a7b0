import type { Socket } from 'node:net'
import { responseCodeOf, type Transmit } from '../tpm/command.ts'
import { shutdown, startup } from '../tpm/commands/lifecycle.ts'
import { commandName } from '../tpm/constants.ts'
import { Cursor } from '../tpm/cursor.ts'
import { describe } from '../tpm/describe.ts'
import { responseCodeName, TPM_RC } from '../tpm/response-code.ts'
import { toHex } from '../tpm/write.ts'
import { Channel } from './channel.ts'
import { SwtpmError } from './errors.ts'
import { cyclePower } from './power.ts'
import { controlQueue, type Endpoint, serveTcp, serveUnix } from './serve.ts'

/** One command of any client and its final response. */
export interface CommandRecord {
  /** Specification spelling, e.g. `TPM2_Quote`. */
  readonly command: string
  /** Summary of the parameters, e.g. `sha256: 0-9,14; 16-byte qualifyingData`. */
  readonly detail: string
  /** Specification spelling, e.g. `TPM_RC_SUCCESS`. */
  readonly response_code: string
  readonly command_hex: string
  readonly response_hex: string
  /** Milliseconds from the first submission to the final response, without queueing. */
  readonly ms: number
  /** Number of submissions of the same bytes: more than one if the TPM asked for a retry. */
  readonly submissions: number
}

interface BrokerOptions {
  /** The data connection to swtpm, which accepts only one. */
  readonly data: Socket
  readonly controlPath: string
  readonly onCommand?: ((record: CommandRecord) => void) | undefined
  /** Maximum milliseconds for one response; default 30 s. */
  readonly deadlineMs?: number
}

/** Sole owner of a TPM's data connection: sends the commands of all clients one at a time, in the order of arrival. */
export interface Broker {
  readonly transmit: Transmit
  /**
   * Shuts the TPM down, cuts its power, and starts it up again, both with TPM_SU `how`: CLEAR is a reset, STATE a
   * resume. No client's command runs in between. Rejects with TpmError or SwtpmError.
   */
  powerCycle(how: number): Promise<void>
  /** Serves other programs at `path` and `<path>.ctrl` until closed. */
  serveUnix(path: string): Promise<Endpoint>
  /** Serves other programs at two adjacent loopback ports until closed. */
  serveTcp(): Promise<Endpoint>
  /**
   * Stops serving, completes the queued commands, sends TPM2_Shutdown (default CLEAR), and leaves the connection to
   * its owner.
   */
  close(how?: number): Promise<void>
}

/** Response codes with which the TPM asks for the same bytes again (Part 1, 37.3). */
const AGAIN: readonly number[] = [TPM_RC.RETRY, TPM_RC.YIELDED, TPM_RC.TESTING]
const SUBMISSIONS_MAX = 16

function recordOf(
  command: Uint8Array,
  response: Uint8Array,
  measured: { readonly ms: number; readonly submissions: number },
): CommandRecord {
  return {
    command: commandName(new Cursor(command, 'command', 6).u32()),
    detail: describe(command, response),
    response_code: responseCodeName(responseCodeOf(response)),
    command_hex: toHex(command),
    response_hex: toHex(response),
    ...measured,
  }
}

async function submit(
  channel: Channel,
  command: Uint8Array,
): Promise<{ response: Uint8Array; submissions: number }> {
  let response = await channel.exchange(command)
  let submissions = 1
  while (submissions < SUBMISSIONS_MAX && AGAIN.includes(responseCodeOf(response))) {
    response = await channel.exchange(command)
    submissions += 1
  }
  return { response, submissions }
}

/** Sends all commands of a TPM over its data connection, until closed. */
export function openBroker(options: BrokerOptions): Broker {
  const { data, controlPath, onCommand, deadlineMs = 30_000 } = options
  const channel = new Channel(data, deadlineMs)
  const control = controlQueue(controlPath)
  const endpoints = new Set<Endpoint>()
  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined

  const run = async (command: Uint8Array): Promise<Uint8Array> => {
    const started = performance.now()
    const { response, submissions } = await submit(channel, command)
    const ms = performance.now() - started
    onCommand?.(recordOf(command, response, { ms, submissions }))
    return response
  }
  const enqueue = <T>(use: () => Promise<T>): Promise<T> => {
    const next = last.then(use)
    last = next.catch(() => undefined)
    return next
  }
  const whileOpen = <T>(use: () => Promise<T>): Promise<T> =>
    closing === undefined
      ? enqueue(use)
      : Promise.reject(new SwtpmError('closed', 'the TPM has been closed'))
  const transmit: Transmit = (command) => whileOpen(() => run(command))
  const cycle = async (how: number): Promise<void> => {
    await shutdown(run, how)
    await control.inTurn(() => cyclePower(controlPath, deadlineMs))
    await startup(run, how)
  }

  const keep = async (served: Promise<Endpoint>): Promise<Endpoint> => {
    const endpoint = await served
    endpoints.add(endpoint)
    return endpoint
  }
  const close = async (how?: number): Promise<void> => {
    await Promise.all([...endpoints].map((endpoint) => endpoint.close()))
    // A TPM that has ended cannot be shut down, and need not be.
    await enqueue(() => shutdown(run, how)).catch(() => undefined)
    channel.leave()
  }
  return {
    transmit,
    powerCycle: (how) => whileOpen(() => cycle(how)),
    serveUnix: (path) => keep(serveUnix(transmit, control.serve, path)),
    serveTcp: () => keep(serveTcp(transmit, control.serve)),
    close: (how) => {
      closing ??= close(how)
      return closing
    },
  }
}
