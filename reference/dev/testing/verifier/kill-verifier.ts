import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import Libsql from 'libsql'
import { composeVerifier } from '../../../compose/compose-verifier.ts'
import { SHIPPED_PARTS } from '../../../compose/parts.ts'
import { loadConfig } from '../../../config/config.ts'
import { developmentProgram } from '../development-program.ts'
import { type Ask, pushMachine } from './push-machine.ts'

const HELD = developmentProgram('reference/dev/testing/verifier/held-verifier.ts')
/** Agents are not given up for their silence, however long a start takes. */
const SETTINGS = ['log_level=silent', 'quote_interval=86400']
const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** The results of attestations whose verifier was killed. */
interface Killed {
  /** Kills that left an attestation at `evaluating_evidence` on disk, without a verdict. */
  readonly left: number
  /** Of these, the ones that passed after the restart. */
  readonly verdicts: number
  /** Times that any attestation came to `verification_complete`, as the database itself counted. */
  readonly written: number
  /** The counter in the agent's record. */
  readonly counted: number
}

/**
 * Kills a verifier (SIGKILL) after it accepted evidence and while it evaluates, `times` over; after each the state
 * directory is served by another, which has to come to the verdict. This is not a power cut: the kernel keeps its buffers.
 */
export async function killVerifier(state_dir: string, times: number): Promise<Killed> {
  const machine = pushMachine(AGENT, 5)
  const database = join(state_dir, 'verifier.sqlite')
  let [left, verdicts] = [0, 0]
  for (let count = 0; count < times; count++) {
    const held = await startHeld(state_dir)
    const ask = askOver(held.port, state_dir)
    if (count === 0) {
      countVerdicts(database)
      await machine.enrol(ask.over)
    }
    await machine.authenticate(ask.over)
    const begun = await machine.begin(ask.over)
    await machine.submit(ask.over, begun)
    ask.end()
    await held.kill()
    if (stageOf(database, begun.index) === 'evaluating_evidence') left += 1
    const settings = [`state_dir=${state_dir}`, ...SETTINGS]
    const again = await composeVerifier(loadConfig('verifier', undefined, settings), SHIPPED_PARTS)
    const inject: Ask = async (method, url, asked) =>
      (await again.server.inject({ method, url, ...asked })).json()
    if ((await machine.verdict(inject, begun)) === 'pass') verdicts += 1
    await again.close()
  }
  return { left, verdicts, ...countsOf(database) }
}

/** A verifier in a process of its own, on a free port. */
async function startHeld(state_dir: string) {
  const settings = [`state_dir=${state_dir}`, 'port=0', ...SETTINGS]
  const words = settings.flatMap((setting) => ['--set', setting])
  const child = spawn(process.execPath, [...HELD, 'verifier', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes('\n')) break
  }
  const port = Number(/:(\d+)\s*$/.exec(said)?.[1])
  if (Number.isNaN(port)) throw new Error(`the verifier did not start: ${said}`)
  const kill = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { port, kill }
}

function askOver(port: number, state_dir: string) {
  const agent = new Agent({
    keepAlive: true,
    ca: readFileSync(join(state_dir, 'cv_ca/cacert.crt')),
  })
  const over: Ask = async (method, path, { payload, headers } = {}) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers } })
    sent.end(payload === undefined ? undefined : JSON.stringify(payload))
    const [reply] = await once(sent, 'response')
    const body = await json(reply)
    if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
  return { over, end: () => agent.destroy() }
}

function asked<T>(database: string, ask: (connection: Libsql.Database) => T): T {
  const connection = new Libsql(database)
  try {
    return ask(connection)
  } finally {
    connection.close()
  }
}

/** Counts verdicts in the database with a trigger, from every process. */
function countVerdicts(database: string): void {
  asked(database, (connection) =>
    connection.exec(`create table verdicts (agent_id text, "index" integer);
      create trigger count_verdicts after update of stage on attestations
      when new.stage = 'verification_complete'
      begin insert into verdicts values (new.agent_id, new."index"); end`),
  )
}

function stageOf(database: string, index: string): unknown {
  return asked(database, (connection) => {
    const query =
      'select stage, verification_completed_at as at from attestations where "index" = ?'
    const row = connection.prepare(query).get(Number(index)) as { stage: string; at: unknown }
    return row.at === null ? row.stage : 'evaluated'
  })
}

function countsOf(database: string): Pick<Killed, 'written' | 'counted'> {
  return asked(database, (connection) => {
    const written = connection.prepare('select count(*) as count from verdicts').get()
    const counted = connection
      .prepare('select attestation_count + failures as count from agents')
      .get()
    const of = (row: unknown) => (row as { count: number }).count
    return { written: of(written), counted: of(counted) }
  })
}
