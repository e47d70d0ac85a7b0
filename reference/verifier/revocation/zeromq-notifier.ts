import { isIPv6 } from 'node:net'
import type { Publisher } from 'zeromq'
import { StartFault } from '../../errors.ts'
import type { Notifier } from './notifier.ts'

type Load = () => Promise<Pick<typeof import('zeromq'), 'Publisher'>>

/** By name, so that no bundle takes it in: its binaries are larger than all of Assay, and few want it. */
const PACKAGE = 'zeromq'

const load: Load = () => import(PACKAGE) as ReturnType<Load>

/** Milliseconds for which undelivered messages are kept once the verifier ends. */
const LINGER = 1000

/**
 * Publishes to the subscribers at `tcp://host:port`, each notice as one frame: the JSON of `{ msg, signature }`.
 *
 * @throws {StartFault} when the package is not there, or the address cannot be had
 */
export async function zeromqNotifier(
  { host, port }: { readonly host: string; readonly port: number },
  loadPackage: Load = load,
): Promise<Notifier> {
  const { Publisher } = await loadPackage().catch((cause) => {
    throw new StartFault(
      'revocations are to be published with ZeroMQ, and the package zeromq is not installed',
      'run npm install zeromq@6, or take zeromq out of enabled_revocation_notifications',
      cause,
    )
  })
  const ipv6 = isIPv6(host)
  const publisher = new Publisher({ linger: LINGER, ipv6 })
  const address = `tcp://${ipv6 ? `[${host}]` : host}:${port}`
  await publisher.bind(address).catch((cause) => {
    publisher.close()
    throw refused(address, cause)
  })
  return {
    name: 'zeromq',
    notify: (notice) => publisher.send(JSON.stringify(notice)),
    close: () => release(publisher),
  }
}

function refused(address: string, cause: NodeJS.ErrnoException): StartFault {
  return cause.code === 'EADDRINUSE'
    ? new StartFault(
        `ZeroMQ cannot publish at ${address}: the port is busy`,
        'name another zmq_port',
        cause,
      )
    : new StartFault(
        `ZeroMQ cannot publish at ${address}`,
        'name an address of this machine as zmq_ip',
        cause,
      )
}

/** A socket that is closed may keep its port for some milliseconds; only its monitor reports when the port is free. */
async function release(publisher: Publisher): Promise<void> {
  const address = publisher.lastEndpoint
  if (address === null) return
  const freed = new Promise<void>((resolve) => publisher.events.on('close', () => resolve()))
  await publisher.unbind(address)
  await freed
  publisher.close()
}
