import { expect, onTestFinished, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../../attempt/random.ts'
import { buildMutants } from './build-mutants.ts'
import { loadClassified } from './classified.ts'
import { type Found, loadFoundInAreas } from './found.ts'
import { openVectors, VECTOR } from './judge-by-vectors.ts'
import { keyOf } from './key-of.ts'
import { openServers } from './subject.ts'

const { ASSAY_SEED: seed = freshSeed(), ASSAY_FOUND: wanted } = process.env

/** Mutants of each area; all with `ASSAY_FOUND=all`. */
const LEAST = 6
const DRAWN = wanted === 'all' ? Number.POSITIVE_INFINITY : LEAST

const AREAS = Object.entries(loadFoundInAreas())

test('some area is judged whole', () => {
  expect(AREAS.map(([area]) => area)).toContain('authorization')
})

test.each(AREAS)(
  'every mutant of %s is found or has its reason, and a sample is found again',
  { timeout: wanted === 'all' ? 3_600_000 : 180_000 },
  async (area, found) => {
    const { program, mutants } = buildMutants({ area: [area] })
    const classified = loadClassified()
    const keys = mutants.map(({ key }) => key)
    const next = `npm run mutate -- --area ${area} --record judges them; a survivor is a gap, or goes into classified.yaml`
    expect(
      keys.filter((key) => found[key] === undefined && !classified.has(key)),
      next,
    ).toEqual([])
    const kept = [...Object.keys(found), ...classified.keys()]
    const own = kept.filter((key) => key.startsWith(`reference/${area}/`))
    expect(
      own.filter((key) => !keys.includes(key)),
      'mutants that do not exist any more',
    ).toEqual([])
    const active = new Map(mutants.map((mutant) => [mutant.key, mutant.active]))
    expect(await missedOf(program, active, found), `ASSAY_SEED=${seed} repeats it`).toEqual([])
  },
)

/** The drawn mutants that the scenario, or the vector, which found them does not find again. */
async function missedOf(
  program: string,
  active: ReadonlyMap<string, string>,
  found: Found,
): Promise<readonly string[]> {
  const subject = await openServers(program)
  const vectors = await openVectors(program)
  onTestFinished(async () => {
    vectors.close()
    await subject.close()
  })
  const trials = new Map(subject.trials.map((trial) => [keyOf(trial), trial]))
  const isRed = async (key: string, by: string) => {
    const mutant = active.get(key) ?? ''
    const trial = trials.get(by)
    if (trial === undefined) return vectors.isWrong(by.slice(VECTOR.length), mutant)
    // A process that is loaded with it shows also a mutant in a table.
    await subject.activate({ active: mutant, atLoad: true })
    const { outcome } = await subject.run(trial)
    return outcome === 'fail' || outcome === 'hang'
  }
  const own = Object.entries(found).filter(([, by]) => by.startsWith(VECTOR) || trials.has(by))
  expect(own.length).toBeGreaterThan(LEAST)
  const missed: string[] = []
  for (const [key, by] of shuffled(own, seededRandom(seed, 'areas')).slice(0, DRAWN))
    if (!(await isRed(key, by))) missed.push(`${key} by ${by}`)
  return missed
}
