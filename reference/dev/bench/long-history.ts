import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { openVerifierDatabase, type VerifierDatabase } from '../../storage/databases/database.ts'
import { type VerifierStore, verifierStore } from '../../storage/verifier-store.ts'
import { agentRow, attestationRow } from '../testing/storage/rows.ts'

/**
 * `node bin/dev.js reference/dev/bench/long-history.ts [kept ...]`: stored attestations of one agent. The last of the default is the
 * number that the default of `evidence_kept` keeps at this size.
 */
const KEPT = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 16_000]
const EVIDENCE = 'x'.repeat(3000)
const TIMES = 50

/** The allowed ratio of store work per cycle with a long history to that with a short one. */
const LIMIT = 3

const DONE = { stage: 'verification_complete', evaluation: 'pass', evidence: EVIDENCE }

/** Fills the history of the agent up to `kept` attestations. */
async function fill(database: VerifierDatabase, kept: number): Promise<void> {
  const store = verifierStore(database)
  const from = ((await store.attestations.latest('a'))?.index ?? -1) + 1
  await database.transaction().execute(async (transaction) => {
    for (let index = from; index < kept; index++) {
      const row = { ...attestationRow(DONE), index, bytes_before: index * (1024 + EVIDENCE.length) }
      await transaction.insertInto('attestations').values(row).execute()
    }
  })
}

/** One attestation from the beginning to its verdict. */
async function cycle({ attestations }: VerifierStore): Promise<void> {
  const row = await attestations.append(attestationRow({ evidence: EVIDENCE }), 67_108_864)
  if (row === undefined) throw new Error('there is no agent')
  const [awaiting, evaluating] = ['awaiting_evidence', 'evaluating_evidence']
  const accepted = { stage: evaluating, evidence_received_at: 1 }
  await attestations.advance(row, awaiting, accepted, { timeout_at: 1 })
  await attestations.claim(evaluating, { owner: 'me', now: 1, until: 2 })
  const change = { attestation: DONE, agent: () => ({ failures: 0 }) }
  if (!(await attestations.conclude(row, evaluating, 'me', change)))
    throw new Error('there is no other agent')
}

const state = mkdtempSync(join(tmpdir(), 'assay-bench-'))
try {
  const database = await openVerifierDatabase(join(state, 'verifier.sqlite'))
  const store = verifierStore(database)
  await store.agents.enrol(agentRow(), undefined)
  const table = new Table({ head: ['a cycle in the store', 'CPU ms', 'of the first', 'limit'] })
  let first: number | undefined
  for (const kept of KEPT) {
    await fill(database, kept)
    await cycle(store)
    const before = process.cpuUsage()
    for (let count = 0; count < TIMES; count++) await cycle(store)
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000 / TIMES
    first ??= ms
    const exceeded = ms / first > LIMIT
    if (exceeded) process.exitCode = 1
    const limit = `${LIMIT}${exceeded ? ' exceeded' : ''}`
    table.push([`with ${kept} kept`, ms.toFixed(2), (ms / first).toFixed(2), limit])
  }
  console.log(table.toString())
  await store.close()
} finally {
  rmSync(state, { recursive: true, force: true })
}
