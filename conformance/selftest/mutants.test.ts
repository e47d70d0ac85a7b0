import { rmSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { ScenarioResult } from '../report/result.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { selects } from '../runner/plan.ts'
import type { Scenario } from '../runner/scenario.ts'
import { fitsPattern, loadMutants } from '../spec/load-mutants.ts'
import { loadRequirements } from '../spec/load-requirements.ts'
import { build, runBuilt } from './built.ts'
import { freshOut, readResult } from './command.ts'

const mutants = loadMutants()
const scenarios = await discoverScenarios(loadRequirements())

beforeAll(build, 120_000)

test('every mutant is killed, or a sentence says why it cannot be', () => {
  const undecided = mutants.filter(
    ({ kills, warns, doubled, unjudged }) =>
      [kills, warns, doubled, unjudged].filter((each) => each !== undefined).length !== 1,
  )
  expect(undecided).toEqual([])
})

const killed = mutants.flatMap(({ kills, ...row }) => (kills ? [{ ...row, kills }] : []))

// A mutant mostly waits for processes to start: two at a time keep the machine busy.
test.concurrent.each(killed.filter(({ matrix }) => matrix === undefined))(
  '$id goes red at $kills, and nowhere else among its scenarios',
  { timeout: 180_000 },
  async ({ id, kills, by = '*', target }) => {
    // Those of a matrix declare hundreds of requirements, and are meant only where they are named.
    const only = scenarios.filter(
      ({ id: scenario, matrix, requirements }) =>
        (matrix === undefined || by !== '*') &&
        requirements.includes(kills) &&
        selects(by, scenario),
    )
    const { failed } = await judgeMutant(id, only, { kind: target })
    // A scenario of the registrar fails once for each version.
    const ids = new Set(failed.map(({ id: scenario }) => scenario))
    expect(ids).toEqual(new Set(only.map((scenario) => scenario.id)))
    expect(requirementsOf(failed)[0]).toBe(kills)
  },
)

test.concurrent.each(killed.filter(({ matrix }) => matrix !== undefined))(
  '$id goes red, at $kills first, in exactly its cells of the matrix $matrix',
  { timeout: 600_000 },
  async ({ id, kills, also, matrix, cells = [], red: count, by = '*' }) => {
    const only = scenarios.filter(
      (scenario) => scenario.matrix?.name === matrix && selects(by, scenario.id),
    )
    // A row with two readings only warns.
    const { failed, red } = await judgeMutant(id, only, { codes: [0, 1] })
    expect(unlike(cells, red)).toEqual([])
    if (count !== undefined) expect(red).toHaveLength(count)
    const requirements = requirementsOf(failed)
    // What a member holds is about the same cell as its type: the first to fail is the one that is meant.
    if (also === undefined) expect(requirements[0]).toBe(kills)
    else expect(new Set(requirements)).toEqual(new Set([kills, ...also]))
  },
)

test.concurrent.each(mutants.flatMap(({ warns, ...row }) => (warns ? [{ ...row, warns }] : [])))(
  '$id is warned of by $warns alone, in exactly its cells of the matrix $matrix',
  { timeout: 300_000 },
  async ({ id, warns, matrix, cells = [], by = '*' }) => {
    const only = scenarios.filter(
      (scenario) => scenario.matrix?.name === matrix && selects(by, scenario.id),
    )
    const { failed, red } = await judgeMutant(id, only, { codes: [0] })
    expect(unlike(cells, red)).toEqual([])
    expect(new Set(failed.map(({ outcome }) => outcome))).toEqual(new Set(['warn']))
    expect(new Set(requirementsOf(failed))).toEqual(new Set([warns]))
  },
)

/** How a mutant is run: from which target, and the exit codes it may end with. */
interface Judging {
  readonly kind?: string | undefined
  readonly codes?: readonly number[]
}

/** Runs some scenarios against a mutant; what did not pass, and the cells that are red. */
async function judgeMutant(
  id: string,
  only: readonly Scenario[],
  { kind = 'built', codes = [1] }: Judging = {},
) {
  expect(only.length).toBeGreaterThan(0)
  const out = freshOut()
  const argv = only.flatMap((scenario) => ['--only', scenario.id])
  const target = ['--target', `reference/mutants/${kind}-mutant.target.yaml`, '--out', out]
  const { code, stderr } = await runBuilt(['run', ...target, ...argv], { ASSAY_MUTANT: id })
  expect(stderr).toBe('')
  expect(codes).toContain(code)
  const result = readResult(out)
  rmSync(out, { recursive: true, force: true })
  const failed = result.scenarios.filter(({ outcome }) => outcome !== 'pass')
  return { failed, red: result.matrices.flatMap((one) => one.red) }
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
