import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { selects } from '../runner/plan.ts'
import { loadRequirements } from '../spec/load-requirements.ts'
import { build, runBuilt } from './built.ts'
import { freshOut, readResult } from './command.ts'

/** A row of the mutants; one without `kills` says why nothing can go red on it. */
interface Mutant {
  readonly id: string
  readonly kills?: string
  /** Scenarios that go red, when not all that speak for the requirement do. */
  readonly by?: string
  readonly doubled?: string
  readonly unjudged?: string
}

const spec = join(packageRoot(), 'conformance', 'spec', 'mutants.yaml')
const mutants = parse(readFileSync(spec, 'utf8')) as readonly Mutant[]
const scenarios = await discoverScenarios(loadRequirements())

beforeAll(build, 120_000)

test('every mutant is killed, or a sentence says why it cannot be', () => {
  const undecided = mutants.filter(
    ({ kills, doubled, unjudged }) =>
      [kills, doubled, unjudged].filter((each) => each !== undefined).length !== 1,
  )
  expect(undecided).toEqual([])
})

const killed = mutants.flatMap(({ kills, ...row }) => (kills ? [{ ...row, kills }] : []))

test.each(killed)(
  '$id goes red at $kills, and nowhere else among its scenarios',
  { timeout: 60_000 },
  async ({ id, kills, by = '*' }) => {
    const out = freshOut()
    const only = scenarios.filter(
      (scenario) => scenario.requirements.includes(kills) && selects(by, scenario.id),
    )
    const argv = only.flatMap((scenario) => ['--only', scenario.id])
    const target = ['--target', 'reference/mutants/built-mutant.target.yaml', '--out', out]
    const words = ['run', ...target, ...argv]
    const { code, stderr } = await runBuilt(words, { ASSAY_MUTANT: id })
    expect(stderr).toBe('')
    expect(code).toBe(1)
    const failed = readResult(out).scenarios.filter(({ outcome }) => outcome !== 'pass')
    // A scenario of the registrar fails once for each version.
    const ids = new Set(failed.map(({ id: scenario }) => scenario))
    expect(ids).toEqual(new Set(only.map((scenario) => scenario.id)))
    const [first] = failed.flatMap(({ checks }) => checks.filter(({ ok }) => !ok))
    expect(first?.requirement).toBe(kills)
    rmSync(out, { recursive: true, force: true })
  },
)
