import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { inRunDirectory } from '../../../conformance/runner/in-run-directory.ts'
import { openDeployment } from '../../../conformance/runner/open-deployment.ts'
import { freshOut } from '../../../conformance/selftest/command.ts'
import { Campaign } from '../campaign.ts'
import { EVENTLOG_MUTATIONS } from '../mutations/eventlog.ts'
import { pollingRoute } from '../routes/polling-route.ts'
import { openSession } from '../session.ts'

const TARGET = join(packageRoot(), 'reference/dev/mutants/built-mutant.target.yaml')
const SEED = '7'
/** Polls, within which a mutant has to be found. */
const RUNS = 25

afterEach(() => {
  vi.unstubAllEnvs()
})

/** What so many polls, in which an agent tells mutated firmware logs, find at a mutant. */
async function polled(mutant: string, runs: number) {
  vi.stubEnv('ASSAY_MUTANT', mutant)
  const out = freshOut()
  const campaign = await inRunDirectory(out, async (run, interrupted) => {
    const say = () => undefined
    const { environment } = await openDeployment(TARGET, {
      run,
      seed: SEED,
      interrupted,
      rows: [],
      say,
    })
    const session = openSession(environment, 200, 0)
    const { pull } = session.verifiers
    if (pull === undefined) throw new Error('the target lists no version that polls')
    const found = new Campaign(session, await pollingRoute(session, pull, EVENTLOG_MUTATIONS), {
      ...{ kind: 'eventlog', seed: SEED, target: TARGET, limits: { runs, seconds: 300 } },
      onFinding: say,
    })
    await found.run()
    expect(await session.close()).toEqual([])
    return found
  })
  rmSync(out, { recursive: true, force: true })
  return campaign
}

test('polls find nothing wrong with what ships, which both takes and refuses', async () => {
  const { findings, tally } = await polled('shipped', RUNS)
  expect(findings).toEqual([])
  expect(Math.min(tally.counts.passed, tally.counts.failed)).toBeGreaterThan(2)
  expect(tally.counts.passed + tally.counts.failed).toBe(tally.runs)
})

test('a verifier that forgets boot policies when it polls is found within so many, and what it fell for is made small', async () => {
  const { findings } = await polled('polled-boot-policy-ignored', RUNS)
  const [finding] = findings
  expect([finding?.severity, finding?.says.map(({ id }) => id)]).toEqual([
    'false pass',
    ['boot-replay'],
  ])
  expect(finding?.shots.map(({ recipe }) => recipe.length)).toEqual([1])
})
