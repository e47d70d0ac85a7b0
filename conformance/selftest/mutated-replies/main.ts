import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { surviveLateEnds } from '../../attempt/endings.ts'
import { freshSeed, seededRandom } from '../../attempt/random.ts'
import { Slots } from '../../attempt/slots.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { HttpsClient } from '../../client/https-client.ts'
import { packageRoot } from '../../input/package-root.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { planTrials } from '../../runner/plan.ts'
import { setUp } from '../../runner/set-up.ts'
import { startTrials } from '../../runner/start-trials.ts'
import { createRunDirectory } from '../../target/processes/run-directory.ts'
import { mutateReply } from './mutate-reply.ts'

/** Characters of a reason that tell faults apart. */
const REASON = 140

interface Options {
  readonly seed: string
  readonly only: readonly string[]
  readonly every: string
}

/** Runs the servers' scenarios against the reference, with some replies changed, and prints the harness's own faults. */
async function main({ seed, only, every }: Options): Promise<number> {
  const out = join(packageRoot(), 'reports', 'out', 'mutated-replies')
  const run = createRunDirectory(out)
  const requirements = loadRequirements()
  const scenarios = await discoverScenarios(requirements)
  const target = join(packageRoot(), 'reference', 'assay.target.yaml')
  const interrupted = new AbortController().signal
  const onStep = () => undefined
  const given = { target, out, seed, only, role: [], version: [], list: false } as const
  const options = { ...given, jobs: 2 * availableParallelism(), transcripts: 'none' } as const
  surviveLateEnds()
  try {
    const request = {
      options,
      seed,
      run,
      requirements,
      scenarios,
      variants: [],
      onStep,
      interrupted,
    }
    const { environment, target: read } = await setUp(request)
    const changed = mutateReplies(seed, Number(every))
    const roles = ['registrar', 'verifier']
    const together = scenarios.filter(({ alone }) => alone !== true)
    const trials = planTrials(together, { ...read, roles, only })
    // Without its twin every scenario would be blocked.
    const apart = trials.map((trial) => ({ ...trial, scenario: withoutTwin(trial.scenario) }))
    const slots = new Slots(options.jobs)
    const results = await Promise.all(
      startTrials(environment, apart, { slots, onFinished: () => undefined }),
    )
    return present(results, changed(), seed)
  } finally {
    await run.close()
  }
}

function withoutTwin<T extends { readonly variantOf?: string }>({ variantOf: _, ...rest }: T) {
  return rest
}

function mutateReplies(seed: string, every: number): () => number {
  const random = seededRandom(seed, 'mutated replies')
  const { exchange } = HttpsClient.prototype
  let changed = 0
  HttpsClient.prototype.exchange = async function (...sent) {
    const reply = await exchange.apply(this, sent)
    if (random.below(every) !== 0 || reply.status === undefined) return reply
    changed++
    return mutateReply(reply, random)
  }
  return () => changed
}

function present(results: readonly ScenarioResult[], changed: number, seed: string): number {
  const faults = new Map<string, readonly string[]>()
  for (const { id, outcome, reason = '' } of results) {
    if (outcome !== 'harness-fault') continue
    const cause = reason.slice(0, REASON)
    faults.set(cause, [...(faults.get(cause) ?? []), id])
  }
  for (const [reason, ids] of faults) console.log(`${ids.length} × ${reason} (${ids[0]})`)
  const failed = results.filter(({ outcome }) => outcome === 'fail').length
  const count = [...faults.values()].flat().length
  console.log(
    `${changed} replies changed, ${results.length} scenarios, ${failed} failed; seed ${seed}`,
  )
  console.log(`${count} faults of the harness`)
  return count === 0 ? 0 : 1
}

const program = new Command('mutated-replies')
  .description('runs scenarios while replies are changed: no change may be a fault of the harness')
  .option('--seed <hex>', 'repeats the changes', freshSeed())
  .option('--every <n>', 'changes one reply of so many', '20')
  .option('--only <ids...>', 'scenarios, or `prefix.*`', [])
process.exit(await main(program.parse().opts<Options>()))
