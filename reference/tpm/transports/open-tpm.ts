import { setTimeout as delay } from 'node:timers/promises'
import { deviceTransport } from './device-transport.ts'
import { inTurn } from './in-turn.ts'
import type { TpmPlace } from './parse-tcti.ts'
import { socketTransport } from './socket-transport.ts'
import type { Transport } from './transport.ts'

/** Sends one command and gives its whole response. */
export type Transmit = (command: Uint8Array) => Promise<Uint8Array>

/** A TPM whose commands run one after the other, from all callers. */
export interface TpmConnection {
  readonly transmit: Transmit
  close(): Promise<void>
}

/** Milliseconds that one command may take. */
const DEADLINE = 60_000

export function openTpm(place: TpmPlace): TpmConnection {
  return connectionOver(
    place.kind === 'device' ? deviceTransport(place.path) : socketTransport(place, DEADLINE),
  )
}

/** Response codes after which the same command must be sent again: YIELDED, TESTING, RETRY (Part 2, 6.6.3). */
const AGAIN: ReadonlySet<number> = new Set([0x908, 0x90a, 0x922])
const RESUBMISSIONS = 20
const PAUSE = 5

/** @param wait how a pause of some milliseconds is spent */
export function connectionOver(
  transport: Transport,
  wait: (ms: number) => Promise<unknown> = delay,
): TpmConnection {
  const queue = inTurn()
  const exchange = async (command: Uint8Array): Promise<Uint8Array> => {
    let response = await transport.exchange(command)
    for (let times = 1; AGAIN.has(codeIn(response)) && times <= RESUBMISSIONS; times++) {
      await wait(PAUSE * times)
      response = await transport.exchange(command)
    }
    return response
  }
  return {
    transmit: (command) => queue(() => exchange(command)),
    close: () => queue(() => transport.close()),
  }
}

function codeIn(response: Uint8Array): number {
  if (response.length < 10) return 0
  return new DataView(response.buffer, response.byteOffset).getUint32(6)
}
