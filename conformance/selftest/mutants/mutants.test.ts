import { afterAll, expect, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../../attempt/random.ts'
import { fitsPattern, loadMutants, type MutantRow } from '../../catalogue/load-mutants.ts'
import type { Role, ScenarioResult } from '../../report/result.ts'
import { selects } from '../../runner/cells/cell-selection.ts'
import type { Scenario } from '../../scenario.ts'
import { closeHosts } from './host-mutant.ts'
import { type MutantResult, runMutant, scenarios } from './run-mutant.ts'

const all = loadMutants()

const { ASSAY_SEED: seed = freshSeed(), ASSAY_TESTS: tests, ASSAY_MUTANTS: which } = process.env

/** Number of mutants that a run draws: the gate has time for more of them than every change. */
const SAMPLE = tests === 'all' ? 130 : 16

const mutants =
  which === 'all' ? all : shuffled(all, seededRandom(seed, 'mutants')).slice(0, SAMPLE)

const ROLES: Readonly<Record<string, Role>> = {
  agent: 'pull_agent',
  'push-agent': 'push_agent',
  tenant: 'tenant',
}

afterAll(closeHosts)

test('every mutant is killed, or has a reason why it cannot be', () => {
  const undecided = all.filter(
    ({ kills, doubled, unjudged }) =>
      [kills, doubled, unjudged].filter((each) => each !== undefined).length !== 1,
  )
  expect(undecided).toEqual([])
})

/** Number of mutants that the document allows that a run draws, and of scenarios that each runs. */
const LAWFUL = { mutants: 2, scenarios: 60 }
const UNJUDGED: readonly string[] = ['observed', 'not-applicable', 'skipped']

const lawful = shuffled(
  all.flatMap(({ unjudged, ...row }) => (unjudged ? [{ ...row, unjudged }] : [])),
  seededRandom(seed, 'lawful'),
).slice(0, which === 'all' ? all.length : LAWFUL.mutants)

test.concurrent.each(lawful)(
  '$id passes: $unjudged',
  { timeout: 900_000 },
  async ({ id, ...row }) => {
    const ofRole = scenarios.filter(({ role }) => rolesOf(row).includes(role))
    const only = shuffled(ofRole, seededRandom(seed, id))
    const most = which === 'all' ? only.length : LAWFUL.scenarios
    const result = await runMutant(id, only.slice(0, most), row)
    const failed = result.failed.filter(({ outcome }) => !UNJUDGED.includes(outcome))
    expect(failed, messageOf({ ...result, failed })).toEqual([])
  },
)

const killed = mutants.flatMap(({ kills, ...row }) => (kills ? [{ ...row, kills }] : []))

// In parallel: while a scenario of one mutant waits, others run.
test.concurrent.each(killed.filter(({ matrix }) => matrix === undefined))(
  '$id fails $kills, and no other requirement of its scenarios',
  // Failed timing checks are measured three times.
  { timeout: 900_000 },
  async ({ id, kills, also = [], by = '*', ...row }) => {
    // Matrix scenarios declare hundreds of requirements, so they run only if the mutant names them.
    const only = scenarios.filter(
      ({ id: scenario, matrix, requirements }) =>
        (matrix === undefined || by !== '*') &&
        requirements.includes(kills) &&
        selects(by, scenario),
    )
    const { failed, exitCode, message } = await runCommand(id, only, row)
    // A registrar scenario fails once per version.
    const ids = new Set(failed.map(({ id: scenario }) => scenario))
    const expected = new Set(only.map((scenario) => scenario.id))
    expect(
      [...expected].filter((scenario) => !ids.has(scenario)),
      message,
    ).toEqual([])
    // A twin may show the defect too, if it gets to it.
    const others = failed.filter(
      (one) => !expected.has(one.id) && requirementsOf([one])[0] !== kills,
    )
    expect(others, message).toEqual([])
    expect([kills, ...also], message).toContain(requirementsOf(failed)[0])
    expect(exitCode, message).toBe(1)
  },
)

test.concurrent.each(killed.filter(({ matrix }) => matrix !== undefined))(
  '$id fails exactly its cells of the matrix $matrix, $kills first',
  { timeout: 900_000 },
  async ({ id, kills, also, cells = [], red: count, ...row }) => {
    const { failed, red, exitCode, message } = await runCommand(id, ofMatrix(row), row)
    expect(differences(cells, red), message).toEqual([])
    if (count !== undefined) expect(red, message).toHaveLength(count)
    const requirements = requirementsOf(failed)
    // The value of a member is in the same cell as its type: the first failure is the intended one.
    if (also === undefined) expect(requirements[0], message).toBe(kills)
    else expect(new Set(requirements), message).toEqual(new Set([kills, ...also]))
    expect(exitCode, message).toBe(1)
  },
)

// After the other tests, when the process has run many mutants.
test('a host that has run mutants runs the shipped reference without a failure', async () => {
  const only = scenarios.filter(({ id }) => /^push\.evidence\.(ima|uefi)-/.test(id))
  const { failed, message } = await runCommand('shipped', only, { versions: ['3.0'] })
  expect(failed, message).toEqual([])
})

function sentencesOf({ failed }: MutantResult): readonly string[] {
  return failed.map(
    ({ id, version, outcome, reason = '' }) => `${outcome} ${id} ${version}: ${reason}`,
  )
}

/** The result of a mutant, with the message of a failing test: the seed, and what did not pass. */
async function runCommand(
  id: string,
  only: readonly Scenario[],
  row: Pick<MutantRow, 'target' | 'versions' | 'matrix'>,
): Promise<MutantResult & { readonly message: string }> {
  expect(only.length).toBeGreaterThan(0)
  const result = await runMutant(id, only, row)
  return { ...result, message: messageOf(result) }
}

function messageOf(result: MutantResult): string {
  return [`ASSAY_SEED=${result.seed} repeats it`, ...sentencesOf(result)].join('\n')
}

/** The roles whose scenarios concern a mutant. */
function rolesOf({ target = 'servers' }: Pick<MutantRow, 'target'>): readonly Role[] {
  return target === 'servers' ? ['verifier', 'registrar'] : [ROLES[target] ?? 'tenant']
}

function ofMatrix({ matrix, by = '*' }: Pick<MutantRow, 'matrix' | 'by'>): readonly Scenario[] {
  return scenarios.filter((one) => one.matrix?.name === matrix && selects(by, one.id))
}

function requirementsOf(failed: readonly ScenarioResult[]): readonly string[] {
  return failed
    .flatMap(({ checks }) => checks.filter(({ ok }) => !ok))
    .map(({ requirement }) => requirement)
}

/** Failed cells that no pattern covers, and patterns without a failed cell. */
function differences(patterns: readonly string[], red: readonly string[]): readonly string[] {
  const extra = red.filter((cell) => !patterns.some((pattern) => fitsPattern(pattern, cell)))
  const missing = patterns.filter((pattern) => !red.some((cell) => fitsPattern(pattern, cell)))
  return [...extra, ...missing]
}
