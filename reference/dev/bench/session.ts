import { verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import type { Component } from '../../compose/component.ts'
import { composeVerifier } from '../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { loadConfig } from '../../config/config.ts'
import { decode } from '../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { openSessions } from '../../verifier/push/session/open-sessions.ts'
import { startPostgres } from '../testing/storage/postgres-cluster.ts'
import {
  AGENT,
  AK,
  agentRequest,
  proofFor,
  proofRequest,
  type SessionDocument,
  sessionRequest,
} from '../testing/verifier/push-requests.ts'
import { cost } from './measure.ts'

/** Where a bench has its verifier keep records. */
interface BenchDatabase {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** The value of the setting `database`. */
  readonly database: string
  end(): Promise<void>
}

/**
 * SQLite, in `fallback`, unless the command line says `--database postgresql`, for a server that is started for the
 * bench and ends with it, or `--database URL`, for one that is there.
 */
async function benchDatabase(fallback = ':memory:'): Promise<BenchDatabase> {
  const { values } = parseArgs({ options: { database: { type: 'string', default: 'sqlite' } } })
  const { database } = values
  const end = () => Promise.resolve()
  if (database === 'sqlite') return { kind: 'SQLite', database: fallback, end }
  if (database !== 'postgresql') return { kind: 'PostgreSQL', database, end }
  const cluster = await startPostgres()
  return { kind: 'PostgreSQL', database: await cluster.createDatabase(), end: cluster.stop }
}

/** Sessions of one round; the median of the rounds counts, as noise only adds. */
const SESSIONS = 400
const ROUNDS = 13

/** Rounds before those that count: a server runs for months, and is compiled within its first thousand sessions. */
const WARM_UP = 4

/** Milliseconds of processor that a whole session may take, with SQLite; what another process does is not seen. */
const LIMIT_MS = 2

type Step = 'POST' | 'PATCH' | 'GET'
type Costs = Readonly<Record<Step, number>>

/** Milliseconds of processor, of all threads, that each of some acts takes. */
async function cpuOf<T>(acts: readonly (() => Promise<T>)[]) {
  const before = process.cpuUsage()
  const made: T[] = []
  for (const act of acts) made.push(await act())
  const { user, system } = process.cpuUsage(before)
  return { made, ms: (user + system) / 1000 / acts.length }
}

/** One round: every session is opened, then proven, then used once. The agent's own work is not counted. */
async function round({ server }: Component): Promise<Costs> {
  const ask = async (method: Step, url: string, rest: object): Promise<SessionDocument> => {
    const reply = await server.inject({ method, url, ...rest })
    if (reply.statusCode !== 200) throw new Error(`${method} ${url}: ${reply.body}`)
    return (reply.json() as { data: SessionDocument }).data
  }
  const open = () => ask('POST', '/v3/sessions', { payload: sessionRequest() })
  const opened = await cpuOf(Array.from({ length: SESSIONS }, () => open))
  const proofs = opened.made.map((session) => ({
    url: `/v3/sessions/${session.id}`,
    payload: proofRequest(AGENT, proofFor(session)),
  }))
  const proven = await cpuOf(
    proofs.map(
      ({ url, payload }) =>
        () =>
          ask('PATCH', url, { payload }),
    ),
  )
  const headers = proven.made.map(({ attributes }) => ({
    authorization: `Bearer ${attributes.token}`,
  }))
  const used = await cpuOf(
    headers.map((each) => () => ask('GET', `/v2.5/agents/${AGENT}`, { headers: each })),
  )
  return { POST: opened.ms, PATCH: proven.ms, GET: used.ms }
}

async function verifierOn(database: string, state_dir: string): Promise<Component> {
  const settings = [`state_dir=${state_dir}`, `database=${database}`, 'log_level=silent']
  const parts = { ...SHIPPED_PARTS, administratorOf: () => 'client' }
  const verifier = await composeVerifier(loadConfig('verifier', undefined, settings), parts)
  const url = `/v2.5/agents/${AGENT}`
  await verifier.server.inject({ method: 'POST', url, payload: agentRequest() as object })
  return verifier
}

/** Microseconds of `crypto.verify` of such a proof, with the key at hand. */
function verificationCost(): number {
  const challenge = Buffer.alloc(16).toString('base64')
  const requested = [{ chosen_parameters: { challenge } }]
  const proof = proofFor({ id: '', attributes: { authentication_requested: requested } })
  const message = Buffer.from(proof.message, 'base64')
  const signature = decode(TPMT_SIGNATURE, Buffer.from(proof.signature, 'base64'))
  if (signature.kind !== 'ecdsa') throw new Error('the proofs of this bench are by ECDSA')
  const { signatureR, signatureS } = signature.value
  const key = publicKeyOf(decode(TPM2B_PUBLIC, Buffer.from(AK, 'base64')).contents)
  const bare = Buffer.concat([signatureR, signatureS])
  const check = () => verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, bare)
  if (!check())
    throw new Error('the proof must hold, as only then the whole of the work is measured')
  return cost(check)
}

/** Bytes of memory of one open challenge, with as many as the default allows. */
function bytesOfOpenSession(): number {
  const { open_sessions, open_sessions_per_agent } = loadConfig('verifier', undefined, [])
  const sessions = openSessions({ inAll: open_sessions, perAgent: open_sessions_per_agent })
  const { random } = SHIPPED_PARTS
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < open_sessions * 2; count++)
    sessions.add({
      id: random.uuid(),
      agent_id: random.uuid(),
      enrolment: undefined,
      challenge: Buffer.from(random.bytes(16)).toString('base64'),
      created_at: count,
      challenges_expire_at: count,
    })
  globalThis.gc?.()
  return (process.memoryUsage().heapUsed - before) / sessions.size
}

const state = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const { kind, database, end } = await benchDatabase()
try {
  const verifier = await verifierOn(database, state)
  const all: Costs[] = []
  for (let count = 0; count < WARM_UP + ROUNDS; count++) all.push(await round(verifier))
  await verifier.close()
  const [first = { POST: 0, PATCH: 0, GET: 0 }] = all
  const rounds = all.slice(WARM_UP)
  const median = (step: Step) =>
    rounds.map((each) => each[step]).toSorted((one, other) => one - other)[(ROUNDS - 1) / 2] ?? 0
  const mean = (step: Step) => rounds.reduce((sum, each) => sum + each[step], 0) / rounds.length
  const means = mean('POST') + mean('PATCH') + mean('GET')
  const steps = { POST: median('POST'), PATCH: median('PATCH'), GET: median('GET') }
  const whole = steps.POST + steps.PATCH + steps.GET
  const least = verificationCost() / 1000
  const table = new Table({
    head: [
      `a session, ${kind}`,
      'CPU ms',
      'mean ms',
      'first round',
      'of crypto.verify',
      'limit ms',
    ],
  })
  for (const step of ['POST', 'PATCH', 'GET'] as const)
    table.push([
      step,
      steps[step].toFixed(3),
      mean(step).toFixed(3),
      first[step].toFixed(3),
      (steps[step] / least).toFixed(2),
      '',
    ])
  const exceeded = kind === 'SQLite' && whole > LIMIT_MS
  table.push([
    'all three',
    whole.toFixed(3),
    means.toFixed(3),
    (first.POST + first.PATCH + first.GET).toFixed(3),
    (whole / least).toFixed(2),
    kind === 'SQLite' ? `${LIMIT_MS.toFixed(1)}${exceeded ? ' exceeded' : ''}` : '',
  ])
  table.push(['crypto.verify', least.toFixed(3), '', '', '1.00', ''])
  console.log(table.toString())
  const { open_sessions } = loadConfig('verifier', undefined, [])
  const bytes = bytesOfOpenSession()
  const most = (bytes * open_sessions) / 1024 / 1024
  console.log(
    `an open session: ${bytes.toFixed(0)} bytes; ${open_sessions} of them, the most there can be: ${most.toFixed(0)} MiB`,
  )
  if (exceeded) process.exitCode = 1
} finally {
  await end()
  rmSync(state, { recursive: true, force: true })
}
