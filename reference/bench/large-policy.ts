import { hash } from 'node:crypto'
import Table from 'cli-table3'
import { AK, quoteData } from '../testing/push-requests.ts'
import { agentRow } from '../testing/rows.ts'
import { runtimePolicy } from '../testing/runtime-policy.ts'
import { judgedAgent } from '../verifier/evaluation/judged-agent.ts'
import type { StoredTask } from '../verifier/evaluation/task.ts'
import { evaluatingInWorkers } from '../verifier/evaluation/worker-pool.ts'

const FILES = 200_000
const LATER = 50

/** Of the first evaluation by a policy, what a later one may take. */
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
    agent: judgedAgent(agentRow({ ak_tpm: AK })),
    evidence: new TextEncoder().encode(JSON.stringify([{ ...quote, data }])),
    bootPolicy: null,
    carried: undefined,
    begunWith: undefined,
    ignoreTomtouErrors: false,
  }
}

/** Milliseconds of processor, of all threads. */
async function cpuOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const text = policyText()
const policy = { digest: hash('sha256', text), load: async () => text }
const evaluator = evaluatingInWorkers({ workers: 1, limit: 60_000, waiting: 0 })
await evaluator.judgeStored(task(), undefined)
const first = await cpuOf(() => evaluator.judgeStored(task(), policy))
const later = await cpuOf(async () => {
  for (let count = 0; count < LATER; count++) await evaluator.judgeStored(task(), policy)
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
console.log(table.toString())
if (ratio > LIMIT) process.exitCode = 1
