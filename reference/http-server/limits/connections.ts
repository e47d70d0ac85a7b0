import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from './http-limits.ts'

/** A connection and what its client has done with it. */
interface Connection {
  readonly socket: Socket
  readonly name: string
  readonly address: string
  /** Whether it has ever asked for anything. */
  asked: boolean
  /** Responses that are not over yet, oldest first. */
  readonly inHand: Set<ServerResponse>
}

type Limits = Pick<HttpLimits, 'connections' | 'connectionsOfAddress'>

const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const

/** The connections of one server. */
export interface Connections {
  /** Begins to keep the connections of that server within the limits. */
  watch(server: EventEmitter): void
  /** Responses of a connection that are not over yet, oldest first. */
  inHand(socket: Socket): readonly ServerResponse[]
}

/**
 * Keeps the connections of a server within their limits. At a limit the oldest connection that never asked for
 * anything gives way to the newcomer, then the oldest that waits for nothing: so neither a client that is being
 * served nor one that comes late suffers from connections that another client holds open (CVE-2023-38200).
 */
export function keepConnections(limits: Limits): Connections {
  const held = new Map<string, Connection>()
  const onConnection = (socket: Socket): void => {
    const newcomer = connectionOf(socket)
    const rivals = rivalsOf(newcomer, [...held.values()], limits)
    const loser = rivals && (mostIdle(rivals) ?? newcomer)
    // A destroyed socket closes later, and must not be counted until then.
    if (loser !== undefined) held.delete(loser.name)
    loser?.socket.destroy()
    if (loser !== newcomer) hold(held, newcomer)
  }
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = held.get(nameOf(socket))
    if (connection === undefined) return
    connection.asked = true
    connection.inHand.add(response)
    response.once('close', () => connection.inHand.delete(response))
  }
  return {
    watch(server) {
      server.on('connection', onConnection)
      for (const event of REQUEST_EVENTS) server.on(event, onRequest)
    },
    inHand: (socket) => [...(held.get(nameOf(socket))?.inHand ?? [])],
  }
}

function connectionOf(socket: Socket): Connection {
  const { remoteAddress: address = '' } = socket
  return { socket, name: nameOf(socket), address, asked: false, inHand: new Set() }
}

/** The two ends of a connection: a socket and the TLS socket on it have the same ones. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function hold(held: Map<string, Connection>, connection: Connection): void {
  const { name, socket } = connection
  held.set(name, connection)
  socket.once('close', () => {
    if (held.get(name) === connection) held.delete(name)
  })
}

/** The connections of which one must end for a new one; undefined below the limit. */
function rivalsOf(
  { address }: Connection,
  all: readonly Connection[],
  limits: Limits,
): readonly Connection[] | undefined {
  const own = all.filter((one) => one.address === address)
  if (own.length >= limits.connectionsOfAddress) return own
  return all.length < limits.connections ? undefined : ofGreediest(all)
}

/** The connections of the address that has the most of them. */
function ofGreediest(all: readonly Connection[]): readonly Connection[] {
  const byAddress = new Map<string, Connection[]>()
  for (const one of all) {
    const own = byAddress.get(one.address)
    if (own === undefined) byAddress.set(one.address, [one])
    else own.push(one)
  }
  return [...byAddress.values()].reduce((most, own) => (own.length > most.length ? own : most), [])
}

/** The oldest that never asked, else the oldest that waits for nothing; undefined when all are being served. */
function mostIdle(connections: readonly Connection[]): Connection | undefined {
  const idle = connections.filter(({ inHand }) => inHand.size === 0)
  return idle.find(({ asked }) => !asked) ?? idle[0]
}
