import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memberOf } from '../administrator.ts'
import type { Cell } from '../cell.ts'
import { type Counts, countsOf } from '../counts.ts'
import { Disagreement } from '../disagreement.ts'
import { type SuiteSubject, writeTarget } from '../suite-target.ts'
import { ASSAY, runToEnd, type World } from '../world.ts'

const SUITE_MS = 60 * 60_000
const NO_VERDICT = 2
/** So that two runs make the same choices. */
const SEED = 'interop'
/** One scenario at a time: none is about how two of them get on with each other. */
const ALONE = ['--jobs', '1']

/** A verifier that only polls takes no agent without an address. */
const POLLED = { 'agent-address': 'given' }

/** Judges one server; a verdict of any kind is an answer, none is a fault of ours. */
async function judge(world: World, subject: SuiteSubject): Promise<Counts> {
  const out = join(world.run.path, subject.id)
  const words = ['run', '--target', writeTarget(world, subject), '--role', subject.role]
  const only = world.scenarios.flatMap((pattern) => ['--only', pattern])
  const all = [process.execPath, ASSAY, ...words, '--seed', SEED, ...ALONE, '--out', out, ...only]
  const program = { name: subject.id, words: all }
  const ran = await world.upstream.keep(() => runToEnd(world, program, SUITE_MS))
  if (ran.code === NO_VERDICT || ran.code === null)
    throw new Disagreement('the suite', 'a verdict', ran.output.trim().slice(-600))
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))
  return countsOf(memberOf(result, 'totals'))
}

export const suiteOnRegistrar: Cell = {
  id: 'suite-registrar',
  says: 'our suite comes to a verdict on their registrar',
  run: (world) =>
    judge(world, {
      id: 'suite-registrar',
      role: 'registrar',
      versions: ['2.1', '2.2', '2.3', '2.4', '2.5'],
      directory: world.places.directory,
      verifier: world.places.ports.pull,
      capabilities: ['pull_mode', 'ima_log'],
      dialect: POLLED,
    }),
}

export const suiteOnPullVerifier: Cell = {
  id: 'suite-pull',
  says: 'our suite comes to a verdict on their verifier that polls',
  run: (world) =>
    judge(world, {
      id: 'suite-pull',
      role: 'verifier',
      versions: ['2.1', '2.2', '2.3', '2.4', '2.5'],
      directory: world.places.directory,
      verifier: world.places.ports.pull,
      capabilities: ['pull_mode', 'ima_log', 'uefi_log'],
      dialect: POLLED,
    }),
}

export const suiteOnPushVerifier: Cell = {
  id: 'suite-push',
  says: 'our suite comes to a verdict on their verifier that agents come to',
  run: (world) =>
    judge(world, {
      id: 'suite-push',
      role: 'verifier',
      versions: ['2.5', '3.0'],
      directory: world.places.pushDirectory,
      verifier: world.places.ports.push,
      capabilities: ['ima_log', 'uefi_log'],
    }),
}
