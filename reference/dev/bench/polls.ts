import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonClient } from '../../http-client/json-client.ts'
import { developmentProgram } from '../testing/development-program.ts'
import { agentId, askOf, benchVerifier } from './push-verifier.ts'

/**
 * `node --expose-gc bin/dev.js reference/dev/bench/polls.ts [agents] [rounds] [interval]`: a verifier that polls agents every two
 * seconds, 1,000 by default, of which each process here has 250; rounds of ten seconds. It prints the CPU of a poll and that of asking the same
 * agent over the same kind of connection and looking at nothing, and fails when an agent waited for two intervals.
 */
const [agents = 1000, rounds = 3, interval = 2] = process.argv.slice(2).map(Number)

const PER_HOST = 250
const ROUND = 10_000

interface Place {
  readonly ports: readonly number[]
  readonly ak: string
  readonly certificate: string
}

interface Counted {
  readonly asked: number
  readonly connections: number
  readonly longest: number
}

const state = mkdtempSync(join(tmpdir(), 'assay-polls-'))
const ca = join(state, 'cv_ca')
const verifier = await benchVerifier(state, `quote_interval=${interval}`)
const ask = askOf(verifier)
const hosts: ChildProcess[] = []

const nextMessage = async <T>(host: ChildProcess): Promise<T> =>
  (await once(host, 'message'))[0] as T
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function startHost(count: number): Promise<Place> {
  const [program = '', ...words] = developmentProgram('reference/dev/bench/polled-agents.ts')
  const host = fork(program, [...words, ca, String(count)], { execArgv: [] })
  hosts.push(host)
  return nextMessage<Place>(host)
}

async function enrol({ ports, ak, certificate }: Place): Promise<void> {
  for (const port of ports)
    await ask('POST', `/v2.5/agents/${agentId(port)}`, {
      payload: {
        ...{ ak_tpm: ak, tpm_policy: JSON.stringify({ mask: '0x1' }), supported_version: '2.5' },
        ...{ cloudagent_ip: '127.0.0.1', cloudagent_port: port, mtls_cert: certificate },
      },
    })
}

async function count(): Promise<Counted> {
  const all = hosts.map((host) => {
    const answer = nextMessage<Counted>(host)
    host.send('count')
    return answer
  })
  const counted = await Promise.all(all)
  const sum = (of: (one: Counted) => number) => counted.reduce((total, one) => total + of(one), 0)
  return {
    asked: sum(({ asked }) => asked),
    connections: sum(({ connections }) => connections),
    longest: Math.max(...counted.map(({ longest }) => longest)),
  }
}

/** Milliseconds of CPU that this process, threads and all, has had. */
function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of CPU for the request to an agent alone. */
async function bareQuestion({ ports, certificate }: Place): Promise<number> {
  const pem = (name: string) => readFileSync(join(ca, name), 'utf8')
  const identity = { certificate: pem('client-cert.crt'), key: pem('client-private.pem') }
  const client = jsonClient({
    ...{ host: '127.0.0.1', port: ports[0] ?? 0, trust: { certificate }, identity },
    ...{ timeoutMs: 10_000, maxBytes: 65_536, connections: 1 },
  })
  const path = `/v2.5/quotes/integrity?nonce=${'A'.repeat(20)}&mask=0x1&partial=1&ima_ml_entry=0`
  for (let warm = 0; warm < 200; warm++) await client.get(path)
  const before = cpu()
  for (let asked = 0; asked < 1000; asked++) await client.get(path)
  client.close()
  return (cpu() - before) / 1000
}

try {
  const places: Place[] = []
  for (let left = agents; left > 0; left -= PER_HOST)
    places.push(await startHost(Math.min(left, PER_HOST)))
  const [first] = places
  const least = first === undefined ? 0 : await bareQuestion(first)
  for (const place of places) await enrol(place)
  await pause(3 * interval * 1000)
  for (let round = 0; round < rounds; round++) {
    const [before, began, start] = [await count(), cpu(), performance.now()]
    await pause(ROUND)
    const [after, ours] = [await count(), cpu() - began]
    const polls = after.asked - before.asked
    const seconds = (performance.now() - start) / 1000
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    const megabytes = [rss, heapUsed].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`)
    console.log(
      `${agents} agents: ${Math.round(polls / seconds)} polls/s, ${(ours / polls).toFixed(2)} ms of CPU each ` +
        `(${least.toFixed(2)} ms to ask and look at nothing), longest wait ${after.longest} ms, ` +
        `${after.connections} connections since the start, ${megabytes.join(' resident, ')} heap`,
    )
    if (after.longest >= 2 * interval * 1000) process.exitCode = 1
  }
} finally {
  await verifier.close()
  for (const host of hosts) host.disconnect()
  rmSync(state, { recursive: true, force: true })
}
