import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import type { Component } from '../../compose/component.ts'
import { HAS_POSTGRES, startPostgres } from '../testing/storage/postgres-cluster.ts'
import {
  type Ask,
  type Begun,
  type PushMachine,
  pushMachine,
} from '../testing/verifier/push-machine.ts'
import { pushPrimitives } from './push-primitives.ts'
import { agentId, askOf, benchVerifier } from './push-verifier.ts'

/** Agents of one round, each of which attests once; the median of the rounds counts, as noise only adds. */
const AGENTS = 100
const ROUNDS = 9

/** Rounds before those that count: a server runs for months, and is compiled within its first thousand cycles. */
const WARM_UP = 6

/** Milliseconds of processor that a whole cycle may take. */
const LIMIT_MS = 5

interface Costs {
  /** Milliseconds of processor, of all threads, that a cycle takes. */
  readonly POST: number
  readonly 'PATCH and verdict': number
  /** Cycles a second from the first POST on, without the agents' work. */
  readonly rate: number
}

/** The processor, in milliseconds for each agent, and the time of what it measures, one after the other. */
class Meter {
  cpu = 0
  wall = 0

  async measure<T>(act: () => Promise<T>): Promise<T> {
    const [processor, start] = [process.cpuUsage(), performance.now()]
    const made = await act()
    const { user, system } = process.cpuUsage(processor)
    this.cpu += (user + system) / 1000 / AGENTS
    this.wall += performance.now() - start
    return made
  }
}

/**
 * One round: every agent begins, then every agent sends its evidence; it ends with the evaluation of the last. An agent
 * makes its evidence, with a signature, between the two, which does not count.
 */
async function round(verifier: Component, machines: readonly PushMachine[]): Promise<Costs> {
  const ask = askOf(verifier)
  const [capabilities, evidence] = [new Meter(), new Meter()]
  const measured: Ask = (...request) => capabilities.measure(() => ask(...request))
  const begun: (readonly [PushMachine, Begun])[] = []
  for (const machine of machines) begun.push([machine, await machine.begin(measured)])
  await evidence.measure(async () => {
    for (const [machine, one] of begun) await machine.submit(ask, one)
    for (const [machine, one] of begun.slice(-1)) await machine.verdict(ask, one)
  })
  for (const [machine, one] of begun)
    if ((await machine.verdict(ask, one)) !== 'pass') throw new Error('a cycle must pass')
  return {
    POST: capabilities.cpu,
    'PATCH and verdict': evidence.cpu,
    rate: (AGENTS * 1000) / (capabilities.wall + evidence.wall),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

interface Measured {
  readonly first: Costs
  readonly later: Costs
}

async function measure(verifier: Component): Promise<Measured> {
  const ask = askOf(verifier)
  const machines = Array.from({ length: AGENTS }, (_, number) => pushMachine(agentId(number)))
  for (const machine of machines) {
    await machine.enrol(ask)
    await machine.authenticate(ask)
  }
  const rounds: Costs[] = []
  for (let count = 0; count < WARM_UP + ROUNDS; count++)
    rounds.push(await round(verifier, machines))
  const [first] = rounds
  if (first === undefined) throw new Error('there is no round')
  const counted = rounds.slice(WARM_UP)
  const of = (name: keyof Costs) => median(counted.map((each) => each[name]))
  const later = {
    POST: of('POST'),
    'PATCH and verdict': of('PATCH and verdict'),
    rate: of('rate'),
  }
  return { first, later }
}

const state = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const table = new Table({
  head: ['a push cycle', 'CPU ms', 'of its primitives', 'first, 100 entries', 'a second', 'limit'],
})

function row(name: string, { first, later }: Measured, least: number, limit?: number): void {
  const whole = later.POST + later['PATCH and verdict']
  const begun = first.POST + first['PATCH and verdict']
  const exceeded = limit !== undefined && whole > limit
  if (exceeded) process.exitCode = 1
  table.push([
    `${name}: POST ${later.POST.toFixed(2)}, PATCH and verdict ${later['PATCH and verdict'].toFixed(2)}`,
    whole.toFixed(2),
    (whole / least).toFixed(2),
    begun.toFixed(2),
    later.rate.toFixed(0),
    limit === undefined ? '' : `${limit.toFixed(1)}${exceeded ? ' exceeded' : ''}`,
  ])
}

try {
  const verifier = await benchVerifier(state)
  const measured = await measure(verifier)
  const primitives = await pushPrimitives(verifier, state)
  await verifier.close()
  const least = primitives.reduce((sum, { ms, times }) => sum + ms * times, 0)
  row('SQLite', measured, least, LIMIT_MS)
  if (HAS_POSTGRES) {
    const cluster = await startPostgres()
    const other = await benchVerifier(state, `database=${await cluster.createDatabase()}`)
    row('PostgreSQL, without its own processes', await measure(other), least)
    await other.close()
    await cluster.stop()
  }
  for (const { name, times, ms } of primitives)
    table.push([`${times} x ${name}`, (times * ms).toFixed(3), '', '', '', ''])
  table.push(['primitives', least.toFixed(3), '1.00', '', '', ''])
  console.log(table.toString())
} finally {
  rmSync(state, { recursive: true, force: true })
}
