import { EventEmitter, once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connected, converse, listeningServer, statusesIn } from '../../dev/testing/listening.ts'
import { type Connections, keepConnections } from './connections.ts'

/** A stub server whose connections have the addresses that a test chooses. */
function counter(limits: Parameters<typeof keepConnections>[0]) {
  const server = new EventEmitter()
  const connections: Connections = keepConnections(limits)
  connections.watch(server)
  let port = 0
  const open = (remoteAddress: string) => {
    port += 1
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      remotePort: port,
      destroyed: false,
      destroy() {
        socket.destroyed = true
        socket.emit('close')
      },
    })
    server.emit('connection', socket)
    return socket
  }
  const ask = (socket: ReturnType<typeof open>) => {
    const response = new EventEmitter()
    server.emit('request', { socket }, response)
    return () => response.emit('close')
  }
  return { open, ask }
}

const alive = (sockets: readonly { readonly destroyed: boolean }[]) =>
  sockets.map(({ destroyed }) => !destroyed)

test('at the limit of an address its oldest connection that never asked gives way', () => {
  const { open, ask } = counter({ connections: 9, connectionsOfAddress: 3 })
  const first = open('a')
  ask(first)()
  const others = [open('a'), open('a'), open('a')]
  expect(alive([first, ...others])).toEqual([true, false, true, true])
})

test('when all have asked, the oldest that waits for nothing gives way', () => {
  const { open, ask } = counter({ connections: 9, connectionsOfAddress: 2 })
  const [busy, idle] = [open('a'), open('a')]
  ask(busy)
  ask(idle)()
  const newcomer = open('a')
  expect(alive([busy, idle, newcomer])).toEqual([true, false, true])
})

test('connections in use stay; then the new connection is closed', () => {
  const { open, ask } = counter({ connections: 9, connectionsOfAddress: 1 })
  const busy = open('a')
  const answer = ask(busy)
  expect(alive([open('a'), busy])).toEqual([false, true])
  answer()
  expect(alive([open('a'), busy])).toEqual([true, false])
})

test('at the limit of all, the address with the most connections gives way to another', () => {
  const { open } = counter({ connections: 3, connectionsOfAddress: 3 })
  const [quiet, greedy] = [open('b'), [open('a'), open('a')]]
  const newcomer = open('c')
  expect(alive([quiet, ...greedy, newcomer])).toEqual([true, false, true, true])
})

test('a connection that was closed counts no more', () => {
  const { open } = counter({ connections: 2, connectionsOfAddress: 2 })
  const [stays, goes] = [open('a'), open('a')]
  goes.destroy()
  expect(alive([open('a'), stays])).toEqual([true, true])
})

const GET = ['GET /v3/open HTTP/1.1', 'host: x', 'connection: close', '', '']

test('a client that holds all connections open shuts no other client out', async () => {
  const { port } = await listeningServer({ limits: { connections: 8, connectionsOfAddress: 6 } })
  const idle = Array.from({ length: 30 }, () => connectTcp(port, '127.0.0.1'))
  for (const socket of idle) socket.on('error', () => undefined)
  onTestFinished(() => {
    for (const socket of idle) socket.destroy()
  })
  await Promise.all(idle.map((socket) => once(socket, 'connect')))
  expect(statusesIn(await converse(port, GET))).toEqual([200])
})

test('a connection that is being served outlives a flood of others', async () => {
  const { port } = await listeningServer({ limits: { connections: 8, connectionsOfAddress: 4 } })
  const socket = await connected(port)
  socket.write(
    'POST /v3/open HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{',
  )
  await converse(port, GET)
  await Promise.all(Array.from({ length: 3 }, () => connected(port)))
  for (let more = 0; more < 5; more++) await connected(port)
  socket.write('}')
  expect(statusesIn(await text(socket))).toEqual([200])
})
