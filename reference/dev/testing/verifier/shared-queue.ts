import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { composeVerifier } from '../../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../../compose/parts.ts'
import { loadConfig } from '../../../config/config.ts'
import { developmentProgram } from '../development-program.ts'
import { startPostgres } from '../storage/postgres-cluster.ts'
import { type Ask, pushMachine } from './push-machine.ts'

/** The results of evidence that several verifiers shared in one database. */
interface Shared {
  /** Attestations that waited. */
  readonly queued: number
  /** Verdicts of all processes, as the database counted them. */
  readonly written: number
  /** Attestations that have one. */
  readonly evaluated: number
  /** Verdicts of each process that wrote some. */
  readonly shares: readonly number[]
  /** From the start of the processes to the last verdict. */
  readonly seconds: number
}

const MAIN = developmentProgram('reference/dev/testing/verifier/verifier-process.ts')
const DEADLINE = 600_000
const AT_A_TIME = 20

const COUNTING = `
  create table verdicts (agent_id text, "index" bigint, owner text);
  create function count_verdict() returns trigger language plpgsql as $$ begin
    insert into verdicts values (new.agent_id, new."index", (select owner from claims
      where claims.agent_id = new.agent_id and claims."index" = new."index"));
    return new; end $$;
  create trigger count_verdicts after update of stage on attestations for each row
    when (new.stage = 'verification_complete') execute function count_verdict()`

/** Queues `evaluations` at one database, and runs `processes` verifiers until all have verdicts. */
export async function shareQueue(evaluations: number, processes: number): Promise<Shared> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-shared-'))
  const cluster = await startPostgres()
  const children: ChildProcess[] = []
  try {
    const database = await cluster.createDatabase()
    await queue(database, join(directory, 'first'), evaluations)
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    await client.query(COUNTING)
    const queued = await count(client, "attestations where stage = 'evaluating_evidence'")
    const start = performance.now()
    for (let number = 0; number < processes; number++)
      children.push(startVerifier(database, join(directory, String(number))))
    const deadline = Date.now() + DEADLINE
    while ((await count(client, 'verdicts')) < queued && Date.now() < deadline) await pause(100)
    const seconds = (performance.now() - start) / 1000
    await Promise.all(children.map(stop))
    const shares = await client.query('select count(*) as count from verdicts group by owner')
    const found = {
      queued,
      written: await count(client, 'verdicts'),
      evaluated: await count(client, "attestations where evaluation = 'pass'"),
      shares: shares.rows.map((row: { count: string }) => Number(row.count)),
      seconds,
    }
    await client.end()
    return found
  } finally {
    await Promise.all(children.map(stop))
    await cluster.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function count(client: pg.Client, what: string): Promise<number> {
  const { rows } = await client.query(`select count(*) as count from ${what}`)
  return Number((rows[0] as { count: string }).count)
}

/** Evidence that a verifier accepted which evaluates nothing. */
async function queue(database: string, state_dir: string, evaluations: number): Promise<void> {
  const settings = [`state_dir=${state_dir}`, `database=${database}`, ...SETTINGS]
  const verifier = await composeVerifier(loadConfig('verifier', undefined, settings), {
    ...SHIPPED_PARTS,
    administratorOf: () => 'client',
    evaluator: (given) => ({ ...SHIPPED_PARTS.evaluator(given), atOnce: 0 }),
  })
  const ask: Ask = async (method, url, asked) => {
    const reply = await verifier.server.inject({ method, url, ...asked })
    if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.body}`)
    return reply.json()
  }
  const one = async (number: number): Promise<void> => {
    const id = `d432fbb3-d2f1-4a97-9ef7-${String(number).padStart(12, '0')}`
    const machine = pushMachine(id, 1)
    await machine.enrol(ask)
    await machine.authenticate(ask)
    await machine.submit(ask, await machine.begin(ask))
  }
  for (let number = 0; number < evaluations; number += AT_A_TIME)
    await Promise.all(
      Array.from({ length: Math.min(AT_A_TIME, evaluations - number) }, (_, more) =>
        one(number + more),
      ),
    )
  await verifier.close()
}

const SETTINGS = ['log_level=silent', 'quote_interval=86400']

function startVerifier(database: string, state_dir: string): ChildProcess {
  const settings = [`state_dir=${state_dir}`, `database=${database}`, 'port=0', ...SETTINGS]
  const words = settings.flatMap((setting) => ['--set', setting])
  return spawn(process.execPath, [...MAIN, 'verifier', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
