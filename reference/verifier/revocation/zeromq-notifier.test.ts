import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { developmentProgram } from '../../dev/testing/development-program.ts'
import { freePort } from '../../dev/testing/free-port.ts'
import { zeromqNotifier } from './zeromq-notifier.ts'

const PUBLISHER = developmentProgram('reference/dev/testing/zeromq-publisher.ts')

/** The error output of a process that publishes there and closes, that many times; empty on success. */
async function published(host: string, port: number, times: number): Promise<string> {
  const words = [...PUBLISHER, host, String(port), String(times)]
  return (await promisify(execFile)(process.execPath, words)).stdout
}

test('without the package ZeroMQ is refused at the start, with the command that helps', async () => {
  const absent = () => Promise.reject(new Error('Cannot find package'))
  await expect(zeromqNotifier({ host: '127.0.0.1', port: 8992 }, absent)).rejects.toMatchObject({
    sentence: expect.stringContaining('the package zeromq is not installed'),
    next: expect.stringContaining('npm install zeromq@6'),
  })
})

/** Where this machine is to itself; `::1` is not everywhere. */
const LOOPBACKS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .flatMap(({ internal, address }) => (internal ? address : []))

test.each(LOOPBACKS)('once it is closed the port is free, every time at %s', async (host) => {
  expect(await published(host, await freePort(), 100)).toBe('')
})

test('the error for a port of another process says that it is busy', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await published('127.0.0.1', port, 1)).toBe(
    `ZeroMQ cannot publish at tcp://127.0.0.1:${port}: the port is busy\nname another zmq_port\n`,
  )
})

test('an address of no interface here is refused, and the setting that gives it is named', async () => {
  const port = await freePort()
  expect(await published('192.0.2.1', port, 1)).toBe(
    `ZeroMQ cannot publish at tcp://192.0.2.1:${port}\nname an address of this machine as zmq_ip\n`,
  )
})
