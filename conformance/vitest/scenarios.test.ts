import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { attachment, parameter, tags } from 'allure-js-commons'
import { afterAll, expect, test } from 'vitest'
import { freshSeed } from '../attempt/random.ts'
import { Slots } from '../attempt/slots.ts'
import { compareExcluded } from '../catalogue/coverage.ts'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { packageRoot } from '../input/package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { planTrials } from '../runner/plan.ts'
import { summarizeMatrices } from '../runner/result/summarize-matrices.ts'
import { closeEnvironment } from '../runner/run-environment.ts'
import { setUp } from '../runner/set-up.ts'
import { startTrials } from '../runner/start-trials.ts'
import { createRunDirectory } from '../target/processes/run-directory.ts'
import { rolesUnderTest, VARIANTS } from '../target/target.ts'
import { asTest } from './as-test.ts'

const out = join(packageRoot(), 'reports', 'out', 'vitest')
const target = join(packageRoot(), 'reference', 'assay.target.yaml')
const seed = process.env.ASSAY_SEED ?? freshSeed()
const run = createRunDirectory(out)
const stop = new AbortController()

const requirements = loadRequirements()
const scenarios = await discoverScenarios(requirements)
const options = {
  target,
  seed,
  out,
  only: [],
  role: [],
  version: [],
  list: false,
  jobs: 2 * availableParallelism(),
  transcripts: 'notable',
} as const
const ready = await setUp({
  options,
  seed,
  run,
  requirements,
  scenarios,
  variants: VARIANTS,
  onStep: () => undefined,
  interrupted: stop.signal,
}).catch((error) => run.close().then(() => Promise.reject(error)))
const roles = rolesUnderTest(ready.target)
const trials = planTrials(scenarios, { ...ready.target, roles, only: [] })
/** Tests wait for their turn in the order of the seed; the runner limits the time of each scenario. */
const WHOLE_RUN = { timeout: 1_800_000 }

const slots = new Slots(options.jobs)
const results = startTrials(ready.environment, trials, { slots, onFinished: () => undefined })

afterAll(async () => {
  await closeEnvironment(ready.environment)
  await run.close()
})

for (const [at, { scenario, version }] of trials.entries()) {
  test(`${scenario.id} (${version}): ${scenario.title}`, WHOLE_RUN, async ({ skip }) => {
    const result = await results[at]
    if (result === undefined) throw new Error('the runner gave no result')
    await parameter('version', version)
    await parameter('seed', seed)
    await tags(...scenario.requirements)
    await attachment('result', JSON.stringify(result, null, 2), 'application/json')
    const transcript = ready.environment.transcripts.of(result)
    if (transcript.length > 0)
      await attachment('transcript', JSON.stringify(transcript, null, 2), 'application/json')
    asTest(result, skip)
  })
}

test('every cell of every matrix was executed and holds', WHOLE_RUN, async () => {
  const matrices = summarizeMatrices(scenarios, await Promise.all(results))
  expect(matrices.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['authorization', 'certificates', 'fields', 'http', 'routes']),
  )
  for (const { name, defined, executed, red } of matrices) {
    expect({ name, executed, red }).toEqual({ name, executed: defined, red: [] })
  }
})

test(
  'the rows without an executed check are those that the catalogue excludes',
  WHOLE_RUN,
  async () => {
    expect(compareExcluded(requirements, await Promise.all(results))).toEqual({
      missing: [],
      stale: [],
    })
  },
)
