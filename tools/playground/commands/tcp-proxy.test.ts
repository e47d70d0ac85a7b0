import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openProxy } from './tcp-proxy.ts'

/** A proxy to a server that sends all data back twice. */
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

/** The response over a new connection; undefined if the connection ends without one, whether it is closed or reset. */
function ask(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(undefined))
    socket.once('data', (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.write('ab')
  })
}

test('a proxy forwards in both directions until it is cut, and again after it is mended', async () => {
  const proxy = await proxyToEcho()
  expect(await ask(proxy.port)).toBe('abab')
  proxy.cut()
  expect(await ask(proxy.port)).toBeUndefined()
  proxy.mend()
  expect(await ask(proxy.port)).toBe('abab')
})

test('cutting a proxy ends its open connections', async () => {
  const proxy = await proxyToEcho()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('a')
  await once(socket, 'data')
  const closed = new Promise((resolve) => void socket.once('close', resolve))
  proxy.cut()
  await closed
  expect(proxy.isOpen).toBe(false)
})

test('a connection ends if no program listens behind the proxy', async () => {
  const proxy = await openProxy({ host: '127.0.0.1', port: 1 })
  onTestFinished(() => proxy.close())
  expect(await ask(proxy.port)).toBeUndefined()
})

test('a connection to a held proxy is forwarded after the release, with the data sent before', async () => {
  const proxy = await proxyToEcho()
  proxy.hold()
  expect(proxy.isOpen).toBe(true)
  const pending = ask(proxy.port)
  const early = await Promise.race([pending, pause(50, 'nothing')])
  expect(early).toBe('nothing')
  proxy.release()
  expect(await pending).toBe('abab')
})

test('hold and release have no effect on a cut proxy', async () => {
  const proxy = await proxyToEcho()
  proxy.cut()
  proxy.hold()
  proxy.release()
  expect(proxy.isOpen).toBe(false)
  expect(await ask(proxy.port)).toBeUndefined()
})

test('cutting a held proxy ends waiting connections', async () => {
  const proxy = await proxyToEcho()
  proxy.hold()
  const pending = ask(proxy.port)
  await pause(50)
  proxy.cut()
  expect(await pending).toBeUndefined()
})

test('a proxy can reuse its earlier port', async () => {
  const { port, close } = await proxyToEcho()
  await close()
  const again = await openProxy({ host: '127.0.0.1', port: 1 }, port)
  onTestFinished(() => again.close())
  expect(again.port).toBe(port)
})
