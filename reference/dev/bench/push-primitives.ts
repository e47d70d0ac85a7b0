import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Libsql from 'libsql'
import type { Component } from '../../compose/component.ts'

/** The unavoidable operations of a cycle, each in milliseconds of CPU, and their number. */
interface Primitive {
  readonly name: string
  readonly times: number
  readonly ms: number
}

const CALLS = 400
const ROUNDS = 5

/** Milliseconds of processor of one call, of all threads; the best of some rounds. */
async function cpuOf(call: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let count = 0; count < CALLS; count++) await call()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000 / CALLS)
  }
  return best
}

function verification(): () => boolean {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const message = Buffer.alloc(128)
  const signature = sign('sha256', message, privateKey)
  return () => verify('sha256', message, publicKey, signature)
}

/** A transaction that writes one row of the size of an attestation, as durable as the verifier's. */
function transaction(directory: string): () => void {
  const connection = new Libsql(join(directory, 'primitives.sqlite'))
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  connection.exec('create table rows (id integer primary key, text text)')
  const text = 'x'.repeat(4096)
  return () => {
    connection.exec('begin')
    connection.prepare('insert into rows (text) values (?)').run(text)
    connection.exec('commit')
  }
}

async function echo(): Promise<{ call(): Promise<unknown>; end(): Promise<number> }> {
  const source = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', (bytes) => parentPort.postMessage(bytes))`
  const worker = new Worker(source, { eval: true })
  await once(worker, 'online')
  const call = async () => {
    const bytes = new Uint8Array(4096)
    const answer = once(worker, 'message')
    worker.postMessage(bytes, [bytes.buffer])
    await answer
  }
  return { call, end: () => worker.terminate() }
}

/** The primitives of a cycle over a database in a file, measured now, in this process. */
export async function pushPrimitives(
  verifier: Component,
  directory: string,
): Promise<readonly Primitive[]> {
  const thread = await echo()
  const ask = () => verifier.server.inject({ method: 'GET', url: '/version' })
  const primitives = [
    { name: 'requests answered (GET /version)', times: 2, ms: await cpuOf(ask) },
    {
      name: 'transactions: begun, taken, claimed, concluded',
      times: 4,
      ms: await cpuOf(transaction(directory)),
    },
    { name: 'evidence to a thread and back', times: 1, ms: await cpuOf(() => thread.call()) },
    { name: 'crypto.verify', times: 1, ms: await cpuOf(verification()) },
  ]
  await thread.end()
  return primitives
}
