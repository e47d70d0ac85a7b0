import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../attempt/poll.ts'
import { findListener } from './find-listener.ts'
import { claimSlice, freePorts, isListening, portTrouble, sliceOf } from './free-port.ts'

async function listenOnAnyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Waits, as a process that another thread starts holds every open socket until it executes its program. */
async function isReleased(port: number): Promise<boolean> {
  const isFree = async () =>
    !(await isListening(port)) && (await portTrouble(port, '127.0.0.1')) === undefined
  return until(isFree, { withinMs: 10_000, everyMs: 1 })
}

test('free ports differ and nothing listens on them', async () => {
  const ports = await freePorts(5)
  expect(new Set(ports).size).toBe(5)
  for (const port of ports) expect(await isReleased(port)).toBe(true)
})

test.each([
  { range: 'low', count: 100, above: 15_000, below: 32_768 },
  { range: 'high', count: 35, above: 61_000, below: 65_536 },
] as const)(
  'a port of the $range range is not returned again while a process may still open it',
  async ({ range, count, above, below }) => {
    const ports: number[] = []
    for (let run = 0; run < count; run++) ports.push(...(await freePorts(1, range)))
    expect(new Set(ports).size).toBe(count)
    expect(ports.every((port) => port >= above && port < below)).toBe(true)
  },
)

test('threads and processes use different port ranges', () => {
  expect(new Set([sliceOf(700, 1), sliceOf(700, 2), sliceOf(701, 1), sliceOf(701, 2)]).size).toBe(4)
})

test.runIf(process.platform === 'linux')(
  'a port range that another process holds is skipped',
  async () => {
    const name = `assay-test-${process.pid}`
    const holder = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer().listen('\\0${name}-5', () => console.log('held'))`,
    ])
    onTestFinished(() => void holder.kill())
    await once(holder.stdout, 'data')
    expect(await claimSlice(5, name)).toBe(6)
    expect(await claimSlice(5, name)).toBe(7)
    holder.kill()
    await once(holder, 'exit')
    expect(await claimSlice(5, name)).toBe(5)
  },
)

test('a busy port is skipped', async () => {
  const busy = await listenOnAnyPort()
  const [free = 0] = await freePorts(1)
  const proposals = [busy, free]
  expect(await freePorts(1, () => proposals.shift() ?? 0)).toEqual([free])
})

test('the search fails with a sentence if every port is busy', async () => {
  const busy = await listenOnAnyPort()
  await expect(freePorts(1, () => busy)).rejects.toThrow('no free port on 127.0.0.1 in 50 attempts')
})

test('a port on which something listens is busy, and the listener is named', async () => {
  const busy = await listenOnAnyPort()
  expect(await portTrouble(busy, '127.0.0.1')).toBe('EADDRINUSE')
  expect(findListener(busy)).toContain(`(pid ${process.pid})`)
})

test('a server can start at any moment while its port is watched', async () => {
  for (const port of await freePorts(20)) {
    const isUp = until(() => isListening(port), { withinMs: 10_000, everyMs: 0 })
    const server = createServer()
    await once(server.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening')
    expect(await isUp).toBe(true)
    server.close()
    await once(server, 'close')
    expect(await isReleased(port)).toBe(true)
  }
})

test('a port on which nothing listens has no listener', async () => {
  const [free = 0] = await freePorts(1)
  expect(findListener(free)).toBeUndefined()
})
