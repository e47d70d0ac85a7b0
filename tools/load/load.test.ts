import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPeers, type Place } from '../../conformance/client/idle-peers.ts'
import { makeCa, temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { compareWithPeers } from './compare-with-peers.ts'
import { main } from './main.ts'
import { checkOpenFiles } from './open-files.ts'
import { percentile } from './percentile.ts'
import { presentComparison, presentVerdict } from './present-load.ts'

/** An HTTPS server, optionally with a limit on the number of connections. */
async function serverOf(connections?: number): Promise<Place> {
  const ca = await makeCa(temporaryDirectory())
  const { certificate, key } = await ca.issue('server', { usages: ['serverAuth'] })
  const server = createServer(
    { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') },
    (_request, response) => response.end('{}'),
  )
  if (connections !== undefined) server.maxConnections = connections
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ca: readFileSync(ca.file, 'utf8'),
  }
}

test('idle connections stay open until they are closed', async () => {
  const place = await serverOf()
  const peers = await openPeers(place, { idle: 30, halves: 10 })
  expect(peers.open()).toBe(40)
  peers.close()
  expect(peers.open()).toBe(0)
})

test('a comparison has new and kept connections, before, during and after', async () => {
  const place = await serverOf()
  const comparison = await compareWithPeers(place, { idle: 5, halves: 5, requests: 4 })
  expect(comparison.held).toBe(10)
  for (const { fresh, kept } of [comparison.before, comparison.during, comparison.after]) {
    expect(fresh.p50).toBeGreaterThan(0)
    expect(kept.p95).toBeGreaterThanOrEqual(kept.p50)
  }
})

test('a component that does not serve the measured client is reported', async () => {
  const place = await serverOf(8)
  const comparing = compareWithPeers(place, { idle: 8, halves: 0, requests: 1 })
  await expect(comparing).rejects.toMatchObject({
    sentence: expect.stringContaining('no complete response from 127.0.0.1'),
  })
})

test('a component on another host is rejected', async () => {
  const file = join(temporaryDirectory(), 'far.target.yaml')
  const ca = await makeCa(temporaryDirectory())
  const admin = await ca.issue('admin', { usages: ['clientAuth'] })
  writeFileSync(
    file,
    JSON.stringify({
      name: 'far',
      versions: ['2.5'],
      roles: { registrar: { url: 'https://192.0.2.1:8891' } },
      tls: { ca: ca.file, admin },
      safety: { loopback_only: false },
    }),
  )
  await expect(main(['load', 'idle', '--target', file])).rejects.toMatchObject({
    sentence: expect.stringContaining('192.0.2.1'),
  })
})

test.each([
  [['load'], 'missing or unknown kind of load'],
  [['load', 'idle', '--target', 'x', '--idle', '501'], 'up to 500'],
  [['load', 'idle', '--target', 'x', '--halves', '-1'], 'up to 100'],
  [['load', 'idle', '--target', 'x', '--limit', '0.5'], 'a ratio'],
  [['load', 'polls', '--agents', '2001'], 'up to 2000'],
])('%j is rejected', async (argv, sentence) => {
  await expect(main(argv)).rejects.toMatchObject({ sentence: expect.stringContaining(sentence) })
})

test('an open-file limit that is too low is reported before a connection is opened', () => {
  const file = join(temporaryDirectory(), 'limits')
  writeFileSync(file, 'Max open files            256                  4096                 files\n')
  expect(() => checkOpenFiles(192, file)).not.toThrow()
  expect(() => checkOpenFiles(600, file)).toThrow(
    '600 connections need 664 open files, and the limit is 256',
  )
  expect(() => checkOpenFiles(600, join(file, 'none'))).not.toThrow()
})

test('percentiles use the nearest rank', () => {
  const values = Array.from({ length: 200 }, (_, at) => 200 - at)
  expect([percentile(values, 50), percentile(values, 95)]).toEqual([100, 190])
  expect([percentile([3], 95), percentile([], 50)]).toEqual([3, Number.NaN])
})

const latency = (p95: number) => ({ p50: 1, p95 })
const round = (fresh: number, kept: number) => ({
  before: { fresh: latency(2), kept: latency(1) },
  during: { fresh: latency(3 * fresh), kept: latency(kept) },
  after: { fresh: latency(4), kept: latency(1) },
  held: 600,
})

test('a round is two lines with latencies and the number of open connections', () => {
  expect(presentComparison('registrar', { idle: 500, halves: 100 }, round(1.5, 1.25))).toBe(
    [
      'registrar  new connections: before p50 1.0 ms, p95 2.0 ms; after p50 1.0 ms, p95 4.0 ms; with 500 idle and 100 half ClientHellos p50 1.0 ms, p95 4.5 ms; p95 ratio 1.50',
      'registrar  kept connections: before p50 1.0 ms, p95 1.0 ms; after p50 1.0 ms, p95 1.0 ms; with 500 idle and 100 half ClientHellos p50 1.0 ms, p95 1.3 ms; p95 ratio 1.25; 600 of 600 open at the end',
    ].join('\n'),
  )
})

test('the worse of the two medians decides', () => {
  const rounds = [round(1, 9), round(1.5, 2.5), round(1.2, 2.1)]
  expect(presentVerdict('verifier', rounds, 2)).toEqual({
    ratio: 2.5,
    line: 'verifier  median p95 ratio: new 1.20, kept 2.50; over the limit of 2',
  })
  expect(presentVerdict('verifier', [round(1, 1)], 2).line).toContain('within the limit of 2')
})
