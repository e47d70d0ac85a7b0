import { afterAll, expect, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../../attempt/random.ts'
import { fitsPattern, loadMutants, type MutantRow } from '../../catalogue/load-mutants.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { selects } from '../../runner/plan.ts'
import type { Scenario } from '../../scenario.ts'
import { closeHosts } from './host-mutant.ts'
import { type Judged, runMutant, scenarios } from './run-mutant.ts'

const all = loadMutants()

/** So many are judged where not all of them are. */
const SAMPLE = 24
const { ASSAY_SEED: seed = freshSeed(), ASSAY_TESTS: tests } = process.env

/** The mutants to judge: all of them in the full gate, and otherwise as many as a change can wait for. */
const mutants =
  tests === 'all' ? all : shuffled(all, seededRandom(seed, 'mutants')).slice(0, SAMPLE)

afterAll(closeHosts)

test('every mutant is killed, or a sentence says why it cannot be', () => {
  const undecided = all.filter(
    ({ kills, warns, doubled, unjudged }) =>
      [kills, warns, doubled, unjudged].filter((each) => each !== undefined).length !== 1,
  )
  expect(undecided).toEqual([])
})

const killed = mutants.flatMap(({ kills, ...row }) => (kills ? [{ ...row, kills }] : []))

// Several at a time keep the machine busy: what a scenario of one waits for costs the others no time.
test.concurrent.each(killed.filter(({ matrix }) => matrix === undefined))(
  '$id goes red at $kills, and nowhere else among its scenarios',
  // What a clock shows is measured three times before it is red.
  { timeout: 300_000 },
  async ({ id, kills, by = '*', ...row }) => {
    // Those of a matrix declare hundreds of requirements, and are meant only where they are named.
    const only = scenarios.filter(
      ({ id: scenario, matrix, requirements }) =>
        (matrix === undefined || by !== '*') &&
        requirements.includes(kills) &&
        selects(by, scenario),
    )
    const { failed, exitCode, says } = await runCommand(id, only, row)
    // A scenario of the registrar fails once for each version.
    const ids = new Set(failed.map(({ id: scenario }) => scenario))
    expect(ids, says).toEqual(new Set(only.map((scenario) => scenario.id)))
    expect(requirementsOf(failed)[0], says).toBe(kills)
    expect(exitCode, says).toBe(1)
  },
)

test.concurrent.each(killed.filter(({ matrix }) => matrix !== undefined))(
  '$id goes red, at $kills first, in exactly its cells of the matrix $matrix',
  { timeout: 600_000 },
  async ({ id, kills, also, cells = [], red: count, ...row }) => {
    const { failed, red, exitCode, says } = await runCommand(id, ofMatrix(row), row)
    expect(unlike(cells, red), says).toEqual([])
    if (count !== undefined) expect(red, says).toHaveLength(count)
    const requirements = requirementsOf(failed)
    // What a member holds is about the same cell as its type: the first to fail is the one that is meant.
    if (also === undefined) expect(requirements[0], says).toBe(kills)
    else expect(new Set(requirements), says).toEqual(new Set([kills, ...also]))
    // A row with two readings only warns.
    expect([0, 1], says).toContain(exitCode)
  },
)

test.concurrent.each(mutants.flatMap(({ warns, ...row }) => (warns ? [{ ...row, warns }] : [])))(
  '$id is warned of by $warns alone, in exactly its cells of the matrix $matrix',
  { timeout: 300_000 },
  async ({ id, warns, cells = [], ...row }) => {
    const { failed, red, exitCode, says } = await runCommand(id, ofMatrix(row), row)
    expect(unlike(cells, red), says).toEqual([])
    expect(new Set(failed.map(({ outcome }) => outcome)), says).toEqual(new Set(['warn']))
    expect(new Set(requirementsOf(failed)), says).toEqual(new Set([warns]))
    expect(exitCode, says).toBe(0)
  },
)

// Not beside the others, but after them: the process has served many by then.
test('a process that has served mutants serves the reference as it ships', {
  timeout: 300_000,
}, async () => {
  const only = scenarios.filter(({ id }) => /^push\.evidence\.(ima|uefi)-/.test(id))
  const { failed, says } = await runCommand('shipped', only, { versions: ['3.0'] })
  expect(failed, says).toEqual([])
})

function sentencesOf({ failed }: Judged): readonly string[] {
  return failed.map(
    ({ id, version, outcome, reason = '' }) => `${outcome} ${id} ${version}: ${reason}`,
  )
}

/** How it did, with what a failing test says: how to repeat it, and what did not pass. */
async function runCommand(
  id: string,
  only: readonly Scenario[],
  row: Pick<MutantRow, 'target' | 'versions'>,
): Promise<Judged & { readonly says: string }> {
  expect(only.length).toBeGreaterThan(0)
  const judged = await runMutant(id, only, row)
  return {
    ...judged,
    says: [`ASSAY_SEED=${judged.seed} repeats it`, ...sentencesOf(judged)].join('\n'),
  }
}

function ofMatrix({ matrix, by = '*' }: Pick<MutantRow, 'matrix' | 'by'>): readonly Scenario[] {
  return scenarios.filter((one) => one.matrix?.name === matrix && selects(by, one.id))
}

function requirementsOf(failed: readonly ScenarioResult[]): readonly string[] {
  return failed
    .flatMap(({ checks }) => checks.filter(({ ok }) => !ok))
    .map(({ requirement }) => requirement)
}

/** Cells that are red and should not be, and patterns that no red cell fits. */
function unlike(patterns: readonly string[], red: readonly string[]): readonly string[] {
  const extra = red.filter((cell) => !patterns.some((pattern) => fitsPattern(pattern, cell)))
  const missing = patterns.filter((pattern) => !red.some((cell) => fitsPattern(pattern, cell)))
  return [...extra, ...missing]
}
