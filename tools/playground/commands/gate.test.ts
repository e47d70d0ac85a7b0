import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openGate } from './gate.ts'

/** A gate to a server that says everything twice. */
async function gateToEcho() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => void socket.write(Buffer.concat([data, data])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gate = await openGate({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  onTestFinished(async () => {
    await gate.close()
    server.close()
  })
  return gate
}

/** What is answered over a connection of its own; undefined when it ends without. */
async function ask(port: number): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const heard = once(socket, 'data').then(([data]) => String(data))
  const ended = once(socket, 'close').then(() => undefined)
  socket.write('ab')
  const answer = await Promise.race([heard, ended])
  socket.destroy()
  return answer
}

test('a gate hands on in both directions, until it is cut, and again once it is mended', async () => {
  const gate = await gateToEcho()
  expect(await ask(gate.port)).toBe('abab')
  gate.cut()
  expect(await ask(gate.port)).toBeUndefined()
  gate.mend()
  expect(await ask(gate.port)).toBe('abab')
})

test('a connection that is open ends when the gate is cut', async () => {
  const gate = await gateToEcho()
  const socket = connect(gate.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('a')
  await once(socket, 'data')
  const closed = once(socket, 'close')
  gate.cut()
  await closed
  expect(gate.isOpen).toBe(false)
})

test('where nobody listens behind a gate, a connection ends', async () => {
  const gate = await openGate({ host: '127.0.0.1', port: 1 })
  onTestFinished(() => gate.close())
  expect(await ask(gate.port)).toBeUndefined()
})

test('who comes while a gate is held is led on once it is released, with what was said already', async () => {
  const gate = await gateToEcho()
  gate.hold()
  expect(gate.isOpen).toBe(true)
  const asked = ask(gate.port)
  const early = await Promise.race([asked, pause(50, 'nothing')])
  expect(early).toBe('nothing')
  gate.release()
  expect(await asked).toBe('abab')
})

test('a gate that is cut is neither held nor released', async () => {
  const gate = await gateToEcho()
  gate.cut()
  gate.hold()
  gate.release()
  expect(gate.isOpen).toBe(false)
  expect(await ask(gate.port)).toBeUndefined()
})

test('who waits at a gate that is cut waits no more', async () => {
  const gate = await gateToEcho()
  gate.hold()
  const asked = ask(gate.port)
  await pause(50)
  gate.cut()
  expect(await asked).toBeUndefined()
})

test('a gate opens where it was before', async () => {
  const { port, close } = await gateToEcho()
  await close()
  const again = await openGate({ host: '127.0.0.1', port: 1 }, port)
  onTestFinished(() => again.close())
  expect(again.port).toBe(port)
})
