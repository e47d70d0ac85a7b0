import { connect } from 'node:net'
import { until } from '../../conformance/attempt/poll.ts'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { freePorts } from '../../conformance/target/processes/free-port.ts'
import { openProxy, type TcpProxy } from './commands/tcp-proxy.ts'
import type { KeptMachine } from './kept-playground.ts'

/** A port at which the verifier reaches a pull agent, and its proxy to the port at which the agent listens. */
export interface Contact {
  readonly agentPort: number
  readonly proxy: TcpProxy
}

const LOOPBACK = '127.0.0.1'

/** Opens a contact on the given port, or on a free one. */
export async function openContact(port?: number): Promise<Contact> {
  const [agentPort = 0] = await freePorts(1)
  return { agentPort, proxy: await openProxy({ host: LOOPBACK, port: agentPort }, port) }
}

/**
 * Opens the contacts of kept machines, by machine name, before the verifier starts; connections wait until the machine
 * has resumed. Throws a {@link SetupFault} if another program uses a port.
 */
export async function openContacts(
  machines: readonly KeptMachine[],
): Promise<ReadonlyMap<string, Contact>> {
  const opened = new Map<string, Contact>()
  try {
    for (const machine of machines) opened.set(machine.name, await openAgain(machine))
    return opened
  } catch (error) {
    for (const { proxy } of opened.values()) await proxy.close()
    throw error
  }
}

async function openAgain({ name, contact_port, agent, network }: KeptMachine): Promise<Contact> {
  const contact = await openContact(contact_port).catch((cause: unknown) => {
    if (codeOf(cause) !== 'EADDRINUSE') throw cause
    throw new SetupFault(
      `cannot listen on port ${contact_port}, at which the verifier polls ${name}: port in use`,
      { next: 'end the other program, and start again', cause },
    )
  })
  if (network === 'cut') contact.proxy.cut()
  else if (agent === 'runs') contact.proxy.hold()
  return contact
}

/** Whether a program listens on the port within `withinMs`; stops waiting once `isOver` returns true. */
export function isListenedTo(
  port: number,
  { withinMs, isOver }: { readonly withinMs: number; readonly isOver: () => boolean },
): Promise<boolean> {
  return until(async () => isOver() || (await connects(port)), { withinMs })
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK, () => settle(true))
    const settle = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('error', () => settle(false))
  })
}
