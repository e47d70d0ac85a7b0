import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import Table from 'cli-table3'
import type { Server } from '../../http-server/server.ts'
import { evaluatedAgent } from '../../verifier/evaluation/evaluated-agent.ts'
import type { StoredTask } from '../../verifier/evaluation/task.ts'
import { evaluatingInWorkers } from '../../verifier/evaluation/worker-pool.ts'
import { runtimePolicy } from '../testing/runtime-policy.ts'
import { agentRow } from '../testing/storage/rows.ts'
import { AK, quoteData } from '../testing/verifier/push-requests.ts'
import { benchVerifier } from './push-verifier.ts'

const FILES = 200_000
const LATER = 50
const UPLOADS = 5

/** The part of the first evaluation's time that a later one may take. */
const LIMIT = 0.05

function policyText(): string {
  const digests = Array.from({ length: FILES }, (_, number) => [
    `/usr/lib/package/module-${number}.so`,
    [number.toString(16).padStart(64, '0')],
  ])
  return runtimePolicy(Object.fromEntries(digests))
}

function task(): StoredTask {
  const chosen_parameters = {
    challenge: 'AAAA',
    signature_scheme: 'ecdsa',
    hash_algorithm: 'sha256',
    selected_subjects: [0],
  }
  const data = quoteData('AAAA')
  const quote = { evidence_class: 'certification', evidence_type: 'tpm_quote', chosen_parameters }
  return {
    kind: 'stored',
    agent: evaluatedAgent(agentRow({ ak_tpm: AK })),
    evidence: new TextEncoder().encode(JSON.stringify([{ ...quote, data }])),
    bootPolicy: null,
    carried: undefined,
    begunWith: undefined,
    policyDigest: undefined,
    ignoreTomtouErrors: false,
    bootPolicyName: 'example',
  }
}

interface Upload {
  /** The longest time without an answer to another request. */
  readonly held: number
  /** The time until the answer. */
  readonly whole: number
}

/** Milliseconds of the clock, each the median of some uploads. */
async function uploaded(text: string): Promise<Upload> {
  const state = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const verifier = await benchVerifier(state)
  const payload = JSON.stringify({ runtime_policy: Buffer.from(text).toString('base64') })
  try {
    const uploads: Upload[] = []
    for (let count = 0; count < UPLOADS; count++) {
      uploads.push(await upload(verifier.server, `/v2.5/allowlists/large-${count}`, payload))
      // Checkpoints the log before the next write.
      await pause(2000)
    }
    return {
      held: median(uploads.map(({ held }) => held)),
      whole: median(uploads.map(({ whole }) => whole)),
    }
  } finally {
    await verifier.close()
    rmSync(state, { recursive: true, force: true })
  }
}

async function upload(server: Server, url: string, payload: string): Promise<Upload> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await pause(50)
  delay.reset()
  const start = performance.now()
  const { statusCode } = await server.inject({ method: 'POST', url, payload })
  const whole = performance.now() - start
  await pause(50)
  delay.disable()
  if (statusCode !== 200) throw new Error('a large policy must be taken')
  return { held: delay.max / 1e6, whole }
}

/** Milliseconds of the clock that reading a text as JSON takes. */
function readingOf(text: string): number {
  const times = Array.from({ length: UPLOADS }, () => {
    const start = performance.now()
    JSON.parse(text)
    return performance.now() - start
  })
  return median(times)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** Milliseconds of processor, of all threads. */
async function cpuOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const text = policyText()
const digest = hash('sha256', text)
const policy = { digest, load: async () => ({ digest, text }) }
const evaluator = evaluatingInWorkers({ workers: 1, publicWorkers: 1, limit: 60_000, waiting: 0 })
await evaluator.evaluateStored(task(), undefined)
const first = await cpuOf(() => evaluator.evaluateStored(task(), policy))
const later = await cpuOf(async () => {
  for (let count = 0; count < LATER; count++) await evaluator.evaluateStored(task(), policy)
})
await evaluator.close()
const ratio = later / LATER / first
const table = new Table({
  head: ['an evaluation by a large policy', 'CPU ms', 'of the first', 'limit'],
})
const size = `${(text.length / 1_000_000).toFixed(0)} MB, ${FILES} files`
table.push([`the first (${size})`, first.toFixed(1), '1.00', ''])
table.push([
  'each later one',
  (later / LATER).toFixed(2),
  ratio.toFixed(4),
  `${LIMIT}${ratio > LIMIT ? ' exceeded' : ''}`,
])
const reading = readingOf(text)
const { held, whole } = await uploaded(text)
const uploads = new Table({
  head: ['an upload of the large policy', 'ms', 'of JSON.parse of its text'],
})
const rows: readonly (readonly [string, number])[] = [
  ['JSON.parse of its text', reading],
  ['until the answer', whole],
  ['the longest time without another answer', held],
]
for (const [name, time] of rows) uploads.push([name, time.toFixed(0), (time / reading).toFixed(2)])
console.log(`${table}\n${uploads}`)
if (ratio > LIMIT) process.exitCode = 1
