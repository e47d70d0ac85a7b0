import { relative } from 'node:path'
import { freshSeed } from '../../conformance/attempt/random.ts'
import { loadRequirements } from '../../conformance/catalogue/load-requirements.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { ownCommand } from '../../conformance/input/own-command.ts'
import { modelOf } from '../../conformance/model/models.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { type Console, openConsole } from '../../conformance/report/console/open-console.ts'
import { presentTimes, wholeSeconds } from '../../conformance/report/console/present-times.ts'
import { inRunDirectory } from '../../conformance/runner/in-run-directory.ts'
import { type OpenDeployment, openDeployment } from '../../conformance/runner/open-deployment.ts'
import { sweepStaleRuns } from '../../conformance/target/processes/sweep-stale-runs.ts'
import { type Counted, type Exploration, explore } from './explore.ts'
import { type ExploreOptions, parseExploreOptions } from './explore-options.ts'
import { writeScenario } from './write-scenario.ts'

function commandOf({ target, role, runs, steps }: ExploreOptions, seed: string): string {
  const roleOption = role === 'verifier' ? '' : ` --role ${role}`
  return `assay explore --target ${target}${roleOption} --seed ${seed} --runs ${runs} --steps ${steps}`
}

/** Events that this deployment does not support, a line each. */
function presentMissing(
  { environment }: OpenDeployment,
  { role }: ExploreOptions,
): readonly string[] {
  if (role !== 'verifier') return []
  const { restart, advance } = environment.controls
  return [
    ...(restart
      ? []
      : ['  the verifier is not restarted: Assay did not start it, and there is no hook restart']),
    ...(advance ? [] : ['  the clock does not move: the target file has no hook advance_clock']),
  ]
}

function presentCounterexample(
  { counterexample }: Exploration,
  options: ExploreOptions,
  seed: string,
): readonly string[] {
  if (counterexample === undefined) return []
  const { deviation, steps, before, isReproduced } = counterexample
  const command = commandOf(options, seed)
  const found = { counterexample, role: options.role, seed, command }
  const file = relative(process.cwd(), writeScenario(found, options.out))
  return [
    ...['', `deviation: ${deviation.sentence}`, ''],
    ...steps.map((step, at) => `  ${String(at + 1).padStart(2)}  ${step}`),
    '',
    `${steps.length} steps, minimized from ${before}; a repeated run ${isReproduced ? 'fails the same check' : 'does not fail: the deviation does not depend on these steps alone'}`,
    `scenario written to ${file}; run it with`,
    `  ${ownCommand()} run --target ${options.target} --scenario ${file}`,
    'repeat the exploration with',
    `  ${command.replace('assay', ownCommand())}`,
  ]
}

function presentCounts({ ran, sequences, steps, checks }: Exploration): string {
  const more = sequences > ran ? `, and ${sequences - ran} to minimize the last one` : ''
  return `${ran} sequences${more}; ${steps} steps, ${checks} checks`
}

/** One line on how far an exploration is after so many milliseconds. */
function presentProgress(
  { sequences, steps, checks }: Counted,
  { runs, seconds }: ExploreOptions,
  elapsed: number,
): string {
  // The last sequence is running.
  const done = Math.max(0, sequences - 1) / Math.max(runs, sequences)
  const times = presentTimes(elapsed, done, seconds * 1000 - elapsed)
  const most = Math.max(runs, sequences)
  return `  ${sequences} of ${most} sequences  ${times}  ${steps} steps, ${checks} checks`
}

async function exploreHere(
  options: ExploreOptions,
  seed: string,
  { say, does, ...console }: Console,
): Promise<number> {
  return inRunDirectory(options.out, async (run, interrupted) => {
    interrupted.addEventListener('abort', console.interrupted, { once: true })
    const rows = loadRequirements()
    const ready = await openDeployment(options.target, { run, seed, interrupted, rows, say })
    for (const line of presentMissing(ready, options)) say(line)
    const exploration = await modelOf(options.role, (model) =>
      explore(ready.environment, model, options, (counted) =>
        does((ms) => presentProgress(counted, options, ms)),
      ),
    )
    does(() => '')
    if (interrupted.aborted) return 2
    if (exploration.fault !== undefined) throw new SetupFault(exploration.fault)
    for (const line of presentCounterexample(exploration, options, seed)) say(line)
    say('')
    say(presentCounts(exploration))
    const died = ready.deployment.died()
    if (died !== undefined) say(died)
    return exploration.counterexample === undefined && died === undefined ? 0 : 1
  })
}

/** `assay explore`; `argv[0]` is the verb. Returns 0 if the subject agreed with the model, 1 if it deviated, 2 if interrupted. */
export async function main(
  [, ...argv]: readonly string[],
  stream: OutputStream = process.stdout,
): Promise<number> {
  const options = parseExploreOptions(argv, defaultTarget())
  if (options === undefined) return 0
  const seed = options.seed ?? freshSeed()
  const console = openConsole({ stream })
  console.say(`seed ${seed}  model-based test of the ${options.role}, target ${options.target}`)
  console.does((ms) => `  setting up, ${wholeSeconds(ms)}`)
  try {
    for (const line of await sweepStaleRuns(options.out)) console.say(line)
    return await exploreHere(options, seed, console)
  } finally {
    console.close()
  }
}
