import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../attempt/random.ts'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { temporaryDirectory } from '../target/testing/test-support.ts'
import { measure, sharesOf } from './null-servers/measure.ts'
import { NULL_SERVERS } from './null-servers/null-servers.ts'

/** Servers that a run of the gate draws; `main.ts` runs all of them. */
const SERVERS = 5

/** Scenarios of each server, besides those that show that a component works; `main.ts` runs all. */
const DRAWN = 24

const seed = process.env['ASSAY_SEED'] ?? freshSeed()
const scenarios = await discoverScenarios(loadRequirements())
const quick = scenarios.filter(({ seconds = 0 }) => seconds <= 2)

/** Scenarios that show that a component works, and others by the seed and the name of the server. */
function drawnFor(name: string): readonly string[] {
  const drawn = shuffled(quick, seededRandom(seed, name)).slice(0, DRAWN)
  const marked = quick.filter(({ provesFunction }) => provesFunction)
  return [...marked, ...drawn].map(({ id }) => id)
}

test.each(shuffled(Object.entries(NULL_SERVERS), seededRandom(seed, 'servers')).slice(0, SERVERS))(
  'a server that does nothing (%s) passes nothing, does not conform and is named before the first scenario',
  async (name, server) => {
    const only = drawnFor(name)
    const out = join(temporaryDirectory(), 'out')
    const { exitCode, result } = await measure(server, { only, out, version: ['2.5', '3.0'] })
    const faults = result.scenarios.filter(({ outcome }) => outcome === 'harness-fault')
    expect(faults.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    expect({ exitCode, verdict: result.verdict, seed }).toMatchObject({
      ...{ exitCode: 1, verdict: 'does not conform' },
    })
    const passed = Object.values(sharesOf(result)).map(([count]) => count)
    expect({ passed, seed }).toEqual({ passed: [0, 0, 0], seed })
    expect(result.setup.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/^warning: no dialect completes the enrolment of an agent: .{20}/),
    )
  },
)
