import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { developmentProgram } from '../testing/development-program.ts'
import { evidenceBody } from './flood/evidence-body.ts'

/**
 * `node bin/dev.js reference/dev/bench/verify-evidence.ts [requests]`: CPU time of the verifier's process for a request to
 * verify/evidence over TLS, one at a time, beside that of a bare HTTPS server which reads the same body and sends the same reply.
 */
const [word, ...more] = process.argv.slice(2)
const FIRST = 500
const TICKS_PER_SECOND = 100

if (word === 'bare') serveBare(more)
else await measure(Number(word ?? 3000))

/** The peer: an HTTPS server of Node without anything else. */
function serveBare([key = '', cert = '']: readonly string[]): void {
  const reply = JSON.stringify({
    code: 200,
    status: 'Success',
    results: { valid: true, claims: {}, failures: [] },
  })
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (asked, answer) => {
      asked.resume().once('end', () => {
        answer.writeHead(200, {
          'content-type': 'application/json',
          'content-length': reply.length,
        })
        answer.end(reply)
      })
    },
  )
  server.listen(0, '127.0.0.1', () => {
    console.log(`listens at https://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
}

interface Process {
  readonly port: number
  readonly child: ChildProcess
}

async function start(words: readonly string[]): Promise<Process> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const port = /listens at \S+:(\d+)\n/.exec(said)?.[1]
    if (port !== undefined) return { port: Number(port), child }
  }
  throw new Error(`the process did not start: ${said}`)
}

/** CPU milliseconds of a process so far, with its threads. */
function cpuOf({ pid }: ChildProcess): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

async function measure(requests: number): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'assay-verify-'))
  const ca = join(state, 'cv_ca/cacert.crt')
  const settings = [`state_dir=${state}`, 'port=0'].flatMap((one) => ['--set', one])
  const verifier = await start([
    ...developmentProgram('reference/dev/testing/verifier/verifier-process.ts'),
    ...['verifier', ...settings],
  ])
  const pem = (name: string) => join(state, 'cv_ca', name)
  const own = developmentProgram('reference/dev/bench/verify-evidence.ts')
  const bare = await start([...own, 'bare', pem('server-private.pem'), pem('server-cert.crt')])
  try {
    const table = new Table({ head: ['evidence', 'first 500', 'then', 'bare server', 'ratio'] })
    for (const [what, entries, count] of [
      ['a quote and one entry', 1, requests],
      ['a quote and 1,000 entries', 1000, Math.ceil(requests / 10)],
    ] as const) {
      const body = evidenceBody(entries)
      const first = await cost(verifier, ca, body, FIRST)
      const then = await cost(verifier, ca, body, count)
      await cost(bare, ca, body, FIRST)
      const least = await cost(bare, ca, body, count)
      table.push([
        what,
        ...[first, then, least].map((ms) => `${ms.toFixed(2)} ms`),
        (then / least).toFixed(1),
      ])
    }
    console.log(table.toString())
  } finally {
    for (const { child } of [verifier, bare]) {
      child.kill()
      await once(child, 'exit')
    }
    rmSync(state, { recursive: true, force: true })
  }
}

/** CPU milliseconds of the process for each of `count` requests. */
async function cost(
  { port, child }: Process,
  ca: string,
  body: Buffer,
  count: number,
): Promise<number> {
  const agent = new Agent({ ca: readFileSync(ca), keepAlive: true, maxSockets: 1 })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const where = { host: '127.0.0.1', port, path: '/v2.5/verify/evidence', method: 'POST' }
  const before = cpuOf(child)
  for (let at = 0; at < count; at++) {
    const sent = request({ ...where, agent, headers }).end(body)
    const [reply] = await once(sent, 'response')
    if (reply.statusCode !== 200) throw new Error(`the answer has the status ${reply.statusCode}`)
    await once(reply.resume(), 'end')
  }
  agent.destroy()
  return (cpuOf(child) - before) / count
}
