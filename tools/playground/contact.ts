import { connect } from 'node:net'
import { until } from '../../conformance/attempt/poll.ts'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { freePorts } from '../../conformance/target/processes/free-port.ts'
import { openProxy, type TcpProxy } from './commands/tcp-proxy.ts'
import type { KeptMachine } from './kept-playground.ts'

/** Where a verifier reaches a pull agent: a port that it remembers, and that leads to where the agent listens. */
export interface Contact {
  readonly agentPort: number
  readonly proxy: TcpProxy
}

const LOOPBACK = '127.0.0.1'

/** Opens one, at a free port unless told. */
export async function openContact(port?: number): Promise<Contact> {
  const [agentPort = 0] = await freePorts(1)
  return { agentPort, proxy: await openProxy({ host: LOOPBACK, port: agentPort }, port) }
}

/**
 * Opens those of machines that sleep, by name, before a verifier looks for them: who comes waits until the machine is
 * awake. Throws a {@link SetupFault} for a port that another program has by now.
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
      `port ${contact_port}, where the verifier looks for ${name}, is taken by another program`,
      { next: 'end that one, and start again', cause },
    )
  })
  if (network === 'cut') contact.proxy.cut()
  else if (agent === 'runs') contact.proxy.hold()
  return contact
}

/** Whether somebody listens there within so many milliseconds; it asks no longer once `isOver`. */
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
