import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openProxy } from './tcp-proxy.ts'

/** A gate to a server that says everything twice. */
async function proxyToEcho() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => void socket.write(Buffer.concat([data, data])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await openProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  onTestFinished(async () => {
    await proxy.close()
    server.close()
  })
  return proxy
}

/** What is answered over a connection of its own; undefined when it ends without. */
async function ask(port: number): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const response = once(socket, 'data').then(([data]) => String(data))
  const ended = once(socket, 'close').then(() => undefined)
  socket.write('ab')
  const answer = await Promise.race([response, ended])
  socket.destroy()
  return answer
}

test('a gate hands on in both directions, until it is cut, and again once it is mended', async () => {
  const proxy = await proxyToEcho()
  expect(await ask(proxy.port)).toBe('abab')
  proxy.cut()
  expect(await ask(proxy.port)).toBeUndefined()
  proxy.mend()
  expect(await ask(proxy.port)).toBe('abab')
})

test('a connection that is open ends when the gate is cut', async () => {
  const proxy = await proxyToEcho()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('a')
  await once(socket, 'data')
  const closed = once(socket, 'close')
  proxy.cut()
  await closed
  expect(proxy.isOpen).toBe(false)
})

test('where nobody listens behind a gate, a connection ends', async () => {
  const proxy = await openProxy({ host: '127.0.0.1', port: 1 })
  onTestFinished(() => proxy.close())
  expect(await ask(proxy.port)).toBeUndefined()
})

test('who comes while a gate is held is led on once it is released, with what was said already', async () => {
  const proxy = await proxyToEcho()
  proxy.hold()
  expect(proxy.isOpen).toBe(true)
  const asked = ask(proxy.port)
  const early = await Promise.race([asked, pause(50, 'nothing')])
  expect(early).toBe('nothing')
  proxy.release()
  expect(await asked).toBe('abab')
})

test('a gate that is cut is neither held nor released', async () => {
  const proxy = await proxyToEcho()
  proxy.cut()
  proxy.hold()
  proxy.release()
  expect(proxy.isOpen).toBe(false)
  expect(await ask(proxy.port)).toBeUndefined()
})

test('who waits at a gate that is cut waits no more', async () => {
  const proxy = await proxyToEcho()
  proxy.hold()
  const asked = ask(proxy.port)
  await pause(50)
  proxy.cut()
  expect(await asked).toBeUndefined()
})

test('a gate opens where it was before', async () => {
  const { port, close } = await proxyToEcho()
  await close()
  const again = await openProxy({ host: '127.0.0.1', port: 1 }, port)
  onTestFinished(() => again.close())
  expect(again.port).toBe(port)
})
