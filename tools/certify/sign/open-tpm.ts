import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect, type NetConnectOpts } from 'node:net'
import { codeOf, SetupFault } from '../../../conformance/input/fault.ts'
import { Channel } from '../../../simulator/swtpm/channel.ts'
import { responseCodeOf, type Transmit } from '../../../simulator/tpm/command.ts'
import { TPM_RC } from '../../../simulator/tpm/response-code.ts'
import { bindTpm, type Tpm } from '../../../simulator/tpm/tpm.ts'

/** A TPM of this machine, or an swtpm. */
export interface OpenTpm {
  readonly tpm: Tpm
  close(): Promise<void>
}

const DEADLINE_MS = 30_000
const RESPONSE_MAX = 4096

/**
 * Opens a TPM that is named as tpm2-tools do: `device:/dev/tpmrm0`, `swtpm:path=/a/socket`, `swtpm:host=H,port=P`. Throws
 * `SetupFault` if it cannot be reached.
 */
export async function openTpm(tcti: string): Promise<OpenTpm> {
  const [kind = '', ...rest] = tcti.split(':')
  const options = rest.join(':')
  try {
    if (kind === 'device') return await openDevice(options || '/dev/tpmrm0')
    const place = kind === 'swtpm' ? parseSwtpm(options) : undefined
    if (place !== undefined) return await openSocket(place)
  } catch (cause) {
    const why = codeOf(cause) || 'unknown error'
    throw new SetupFault(`the TPM ${tcti} cannot be opened (${why})`, {
      next: 'check its path, and that no other program uses it: /dev/tpmrm0 takes several',
      cause,
    })
  }
  throw new SetupFault(`${JSON.stringify(tcti)} names no TPM`, {
    next: 'give device:/dev/tpmrm0, swtpm:path=SOCKET or swtpm:host=HOST,port=PORT',
  })
}

function parseSwtpm(options: string): NetConnectOpts | undefined {
  const [, path] = /^path=([^,]+)$/.exec(options) ?? []
  if (path !== undefined) return { path }
  const [, host, port] = /^(?:host=([^,]+),)?port=(\d{1,5})$/.exec(options) ?? []
  return port === undefined ? undefined : { host: host ?? 'localhost', port: Number(port) }
}

async function openSocket(place: NetConnectOpts): Promise<OpenTpm> {
  const socket = connect(place)
  await once(socket, 'connect')
  const channel = new Channel(socket, DEADLINE_MS)
  return {
    tpm: bindTpm(patient((command) => channel.exchange(command))),
    async close() {
      channel.leave()
      socket.destroy()
    },
  }
}

async function openDevice(path: string): Promise<OpenTpm> {
  const device = await open(path, 'r+')
  const transmit: Transmit = async (command) => {
    await device.write(command)
    const { bytesRead, buffer } = await device.read(new Uint8Array(RESPONSE_MAX))
    return buffer.subarray(0, bytesRead)
  }
  return { tpm: bindTpm(patient(transmit)), close: () => device.close() }
}

/** Response codes with which a TPM asks for the same bytes again (Part 1, 37.3). */
const AGAIN: readonly number[] = [TPM_RC.RETRY, TPM_RC.YIELDED, TPM_RC.TESTING]
const SUBMISSIONS_MAX = 16

function patient(transmit: Transmit): Transmit {
  return async (command) => {
    let response = await transmit(command)
    for (let at = 1; at < SUBMISSIONS_MAX && AGAIN.includes(responseCodeOf(response)); at += 1)
      response = await transmit(command)
    return response
  }
}
