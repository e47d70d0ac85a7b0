import { expect, onTestFinished, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../../attempt/random.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { API_VERSIONS } from '../../catalogue/requirement.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import type { Trial } from '../../runner/plan.ts'
import type { Scenario } from '../../scenario.ts'
import { buildMutants } from './build-mutants.ts'
import { loadFound } from './found.ts'
import { keyOf } from './key-of.ts'
import { openCommands, openServers, type Subject } from './subject.ts'

const { ASSAY_SEED: seed = freshSeed(), ASSAY_FOUND: wanted } = process.env
const isWhole = wanted === 'all'

/** Defects of servers, and of agents and tenants, whose scenarios start a process each; all with `ASSAY_FOUND=all`. */
const LEAST = { servers: 14, commands: 3 }
const DRAWN = isWhole ? { servers: Infinity, commands: Infinity } : LEAST
const LIMITS = { timeout: isWhole ? 3_600_000 : 180_000 }

const found = loadFound()
const { program, mutants } = buildMutants({})

test('the defects that the suite has found exist', () => {
  const known = new Set(mutants.map(({ key }) => key))
  expect(Object.keys(found).filter((id) => !known.has(id))).toEqual([])
})

/** The names of a scenario under each of its versions. */
function keysOf({ id, since, until = '9' }: Scenario): readonly string[] {
  const versions = API_VERSIONS.filter((version) => since <= version && version <= until)
  return versions.map((version) => `${id}@${version}`)
}

test('the scenarios that have found them exist in that version', async () => {
  const keys = new Set((await discoverScenarios(loadRequirements())).flatMap(keysOf))
  expect(Object.values(found).filter((key) => !keys.has(key))).toEqual([])
})

/** The drawn defects that the subject can have, with the outcome of the scenario that found each. */
async function outcomesOn(subject: Subject, count: number): Promise<Record<string, string>> {
  onTestFinished(() => subject.close())
  const trials = new Map(subject.trials.map((trial) => [keyOf(trial), trial]))
  const own = Object.entries(found).filter(([, scenario]) => trials.has(scenario))
  const outcomes: Record<string, string> = {}
  for (const [id, scenario] of shuffled(own, seededRandom(seed, 'found')).slice(0, count)) {
    const trial = trials.get(scenario)
    if (trial === undefined) continue
    outcomes[`${id} by ${scenario}`] = await outcomeOf(subject, id, trial)
  }
  return outcomes
}

/** A defect in a table, or behind a cache, takes effect only in a process that is loaded with it. */
async function outcomeOf(subject: Subject, active: string, trial: Trial): Promise<string> {
  await subject.activate({ active, atLoad: false })
  const { outcome } = await subject.run(trial)
  if (!isMissed(['', outcome])) return outcome
  await subject.activate({ active, atLoad: true })
  return (await subject.run(trial)).outcome
}

const isMissed = ([, outcome]: readonly [string, string]) =>
  outcome !== 'fail' && outcome !== 'hang'

test('a sample of the defects of servers is found again', LIMITS, async () => {
  const outcomes = await outcomesOn(await openServers(program), DRAWN.servers)
  expect(Object.keys(outcomes).length, `ASSAY_SEED=${seed}`).toBeGreaterThanOrEqual(LEAST.servers)
  expect(Object.entries(outcomes).filter(isMissed), `ASSAY_SEED=${seed} repeats it`).toEqual([])
})

test('a sample of the defects of agents and tenants is found again', LIMITS, async () => {
  const outcomes = await outcomesOn(await openCommands(program), DRAWN.commands)
  expect(Object.keys(outcomes).length, `ASSAY_SEED=${seed}`).toBeGreaterThanOrEqual(LEAST.commands)
  expect(Object.entries(outcomes).filter(isMissed), `ASSAY_SEED=${seed} repeats it`).toEqual([])
})
