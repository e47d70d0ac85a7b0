import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { developmentProgram } from '../../testing/development-program.ts'
import { type Ask, type PushMachine, pushMachine } from '../../testing/verifier/push-machine.ts'
import { agentId } from '../push-verifier.ts'

/**
 * `node bin/dev.js reference/dev/bench/flood/main.ts [seconds] [strangers…]`: how long a push agent waits for its verdict, and how
 * much memory the verifier takes, while strangers post 16 MB of evidence each, again and again; by default with 12 and
 * then with 60 of them, in three rounds of eight seconds each and as many without strangers. It fails when the 95th percentile is more
 * than twice that without strangers, or the memory exceeds 400 MB. All of it is on loopback, and ends by itself.
 */
const [seconds = 8, ...given] = process.argv.slice(2).map(Number)
const floods = given.length === 0 ? [12, 60] : given
const ROUNDS = 3

/** A body of 16 MB, or almost. */
const ENTRIES = 90_000
const HIGHEST_RATIO = 2
const MOST_MEGABYTES = 400
const ANSWER_WITHIN = 60_000

/** Milliseconds from one attestation to the next. */
const EVERY = 100

const state = mkdtempSync(join(tmpdir(), 'assay-flood-'))
const ca = join(state, 'cv_ca/cacert.crt')
const children: ChildProcess[] = []

async function startVerifier() {
  const settings = [`state_dir=${state}`, 'port=0', 'log_level=silent', 'quote_interval=86400']
  const program = developmentProgram('reference/dev/testing/verifier/verifier-process.ts')
  const words = settings.flatMap((setting) => ['--set', setting])
  const child = spawn(process.execPath, [...program, 'verifier', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const port = /listens at \S+:(\d+)\n/.exec(said)?.[1]
    if (port !== undefined) return { port: Number(port), pid: child.pid ?? 0 }
  }
  throw new Error(`the verifier did not start: ${said}`)
}

async function startStrangers(port: number): Promise<ChildProcess> {
  const [program = '', ...words] = developmentProgram('reference/dev/bench/flood/strangers.ts')
  const child = fork(program, [...words, String(port), ca, String(ENTRIES)], { execArgv: [] })
  children.push(child)
  const [bytes] = await once(child, 'message')
  console.log(`bodies of ${(Number(bytes) / 2 ** 20).toFixed(1)} MB`)
  return child
}

/** A client over TLS, as an administrator or without a certificate. */
function askAs(port: number, isAdministrator: boolean): Ask {
  const pem = (name: string) => readFileSync(join(state, 'cv_ca', name))
  const identity = { cert: pem('client-cert.crt'), key: pem('client-private.pem') }
  const agent = new Agent({
    ...{ keepAlive: true, ca: readFileSync(ca), timeout: ANSWER_WITHIN },
    ...(isAdministrator && identity),
  })
  return async (method, path, { payload, headers } = {}) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers } })
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`)))
    sent.end(payload === undefined ? undefined : JSON.stringify(payload))
    const [reply] = await once(sent, 'response')
    const body = await json(reply)
    if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode}`)
    return body
  }
}

/**
 * Milliseconds from the moment at which an attestation was due to its verdict, ten times a second for some seconds: one
 * that takes longer makes the next ones late, and they count.
 */
async function waits(machine: PushMachine, ask: Ask): Promise<readonly number[]> {
  const start = performance.now()
  const all: number[] = []
  for (let due = start; due < start + seconds * 1000; due += EVERY) {
    await pause(Math.max(0, due - performance.now()))
    const begun = await machine.begin(ask)
    await machine.submit(ask, begun)
    if ((await machine.verdict(ask, begun)) !== 'pass') throw new Error('the evidence failed')
    all.push(performance.now() - due)
  }
  return all
}

function percentile(all: readonly number[], part: number): number {
  const sorted = all.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** The most memory that a process has had resident, in megabytes. */
function peakOf(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}

function present(strangers: number, all: readonly number[], calm: readonly number[]): number {
  const [half, most] = [percentile(all, 0.5), percentile(all, 0.95)]
  const ratio = most / percentile(calm, 0.95)
  console.log(
    `${strangers} strangers: ${all.length} verdicts, half of them within ${half.toFixed(0)} ms, ` +
      `95 of 100 within ${most.toFixed(0)} ms: ratio ${ratio.toFixed(2)} (limit ${HIGHEST_RATIO})`,
  )
  return ratio
}

/** The waits by the number of strangers, in rounds, as the load of the machine changes; and the answers to the strangers. */
async function flood(machine: PushMachine, ask: Ask, strangers: ChildProcess) {
  const found = new Map<number, number[]>([0, ...floods].map((count) => [count, []]))
  let answers: unknown = {}
  await waits(machine, ask)
  for (let round = 0; round < ROUNDS; round++)
    for (const [count, all] of found) {
      strangers.send(count)
      all.push(...(await waits(machine, ask)))
      if (count === 0) continue
      strangers.send(0)
      answers = (await once(strangers, 'message'))[0]
    }
  return { found, answers }
}

try {
  const { port, pid } = await startVerifier()
  const [machine, ask] = [pushMachine(agentId(1)), askAs(port, false)]
  await machine.enrol(askAs(port, true))
  await machine.authenticate(ask)
  const strangers = await startStrangers(port)
  const { found, answers } = await flood(machine, ask, strangers)
  const memory = peakOf(pid)
  const ratios = [...found].map(([count, all]) => present(count, all, found.get(0) ?? []))
  console.log(`${memory.toFixed(0)} MB at most (limit ${MOST_MEGABYTES})`)
  console.log('answers to strangers, by status:', answers)
  if (Math.max(...ratios) > HIGHEST_RATIO || memory > MOST_MEGABYTES) process.exitCode = 1
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(state, { recursive: true, force: true })
}
