import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { parseJson } from '../../../simulator/agents/http/parse-json.ts'
import { surviveLateEnds } from '../../attempt/endings.ts'
import { freshSeed, type SeededRandom, seededRandom } from '../../attempt/random.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { packageRoot } from '../../input/package-root.ts'
import { isTaken } from '../../oracle/recording-parts.ts'
import { PushAgentPool, type PushRecording } from '../../peers/push-agent-pool.ts'
import type { PushOperation, PushStep } from '../../peers/push-timeline.ts'
import type { ScenarioResult } from '../../report/result.ts'
import { discoverScenarios } from '../../runner/discover.ts'
import { planTrials, type Trial } from '../../runner/plan.ts'
import type { RunEnvironment } from '../../runner/run-environment.ts'
import { runScenario } from '../../runner/run-scenario.ts'
import { setUp } from '../../runner/set-up.ts'
import { createRunDirectory } from '../../target/processes/run-directory.ts'
import { rolesUnderTest } from '../../target/target.ts'
import { mutateValue, oneOf } from './mutate-value.ts'
import { placeOf } from './place-of.ts'

/** The scenarios that judge the recording alone, without an agent of their own. */
const JUDGES = [
  ...['capabilities', 'cycles', 'session', 'registered', 'token.used', 'evidence.boot-log'],
  ...['evidence.lists', 'evidence.quote', 'evidence.sent'],
].map((name) => `push-agent.${name}`)

/** A recording in which the body of one request is another. */
interface Changed {
  /** Step, number and place, such as `proof #1: /data/type null`. */
  readonly what: string
  readonly recording: PushRecording
}

/** Whether a change of the body leaves what the servers answered as it is. */
const isChangeable = (operation: PushOperation) =>
  operation.request.json !== undefined && operation.step !== 'activate' && isTaken(operation)

function change(recording: PushRecording, random: SeededRandom): Changed {
  const { operations, registrar } = recording
  const operation = oneOf(random, operations.filter(isChangeable))
  const { step, request } = operation
  const met = operations.flatMap((one) => Object.values(Object(one.request.json)))
  const body = JSON.stringify(mutateValue(request.json, random, met)) ?? ''
  const json = parseJson(body)
  if (JSON.stringify(json) === JSON.stringify(request.json)) return change(recording, random)
  const number = operations.filter((one) => one.step === step).indexOf(operation)
  const changed = { ...operation, request: { ...request, body, json } }
  return {
    what: `${step} #${number}: ${placeOf(request.json, json)}`,
    recording: {
      ...recording,
      operations: operations.with(operations.indexOf(operation), changed),
      registrar: {
        ...registrar,
        registrationOf(id) {
          const truth = registrar.registrationOf(id)
          return truth && (step === 'register' ? { ...truth, body: Object(json) } : truth)
        },
      },
    },
  }
}

/** Steps that an agent need not take. */
const OPTIONAL: ReadonlySet<PushStep> = new Set(['version', 'other'])

/** Recordings of an agent that never takes one of the steps that every agent has to take. */
function lacking(recording: PushRecording): readonly Changed[] {
  const steps = new Set(recording.operations.map(({ step }) => step))
  return [...steps]
    .filter((step) => !OPTIONAL.has(step))
    .map((step) => ({
      what: `without ${step}`,
      recording: {
        ...recording,
        operations: recording.operations.filter((one) => one.step !== step),
      },
    }))
}

interface Options {
  readonly seed: string
  readonly inputs: string
  readonly log?: string
}

/** Starts one push agent of the reference, and judges its recording again and again, each time with another change. */
async function main({ seed, inputs, log }: Options): Promise<number> {
  const out = join(packageRoot(), 'reports', 'out', `mutated-recordings-${seed}`)
  const run = createRunDirectory(out)
  const requirements = loadRequirements()
  const scenarios = await discoverScenarios(requirements)
  const target = join(packageRoot(), 'reference', 'push-agent.target.yaml')
  const options = { target, transcripts: 'none' } as const
  surviveLateEnds()
  try {
    const { environment, target: read } = await setUp({
      ...{ options, seed, run, requirements, scenarios, variants: [], onStep: () => undefined },
      interrupted: new AbortController().signal,
    })
    const plan = { ...read, roles: rolesUnderTest(read), only: JUDGES }
    const trials = planTrials(scenarios, plan).map(withoutTwin)
    const found = await judgeAll(environment, trials, { seed, inputs: Number(inputs), log })
    for (const [reason, what] of found.faults) console.log(`${reason} (${what})`)
    console.log(`${found.judged} changed recordings, ${found.passed} of them pass; seed ${seed}`)
    console.log(`${found.faults.size} faults of the harness`)
    return found.faults.size === 0 ? 0 : 1
  } finally {
    await run.close()
  }
}

function withoutTwin(trial: Trial): Trial {
  const { variantOf: _, ...scenario } = trial.scenario
  return { ...trial, scenario }
}

interface Found {
  /** A change that led to each fault, by its reason. */
  readonly faults: ReadonlyMap<string, string>
  readonly judged: number
  readonly passed: number
}

async function judgeAll(
  environment: RunEnvironment,
  trials: readonly Trial[],
  given: { readonly seed: string; readonly inputs: number; readonly log: string | undefined },
): Promise<Found> {
  const recording = await environment.pushAgents?.recording()
  if (recording === undefined) throw new Error('the target file has no push agent')
  const random = seededRandom(given.seed, 'changed recordings')
  const faults = new Map<string, string>()
  let passed = 0
  const cut = lacking(recording)
  for (let at = 0; at < cut.length + given.inputs; at++) {
    const changed = cut[at] ?? change(recording, random)
    PushAgentPool.prototype.recording = async () => changed.recording
    const results: ScenarioResult[] = []
    for (const trial of trials) results.push(await runScenario(environment, trial, `r${at}`))
    const red = results.filter(({ outcome }) => outcome !== 'pass')
    passed += red.length === 0 ? 1 : 0
    if (red.length === 0 && at < cut.length) faults.set('no scenario is red', changed.what)
    for (const { id, reason } of results.filter(({ outcome }) => outcome === 'harness-fault'))
      faults.set(`${id}: ${reason}`, changed.what)
    const line = { what: changed.what, red: red.map(({ id, reason }) => ({ id, reason })) }
    if (given.log !== undefined) appendFileSync(given.log, `${JSON.stringify(line)}\n`)
  }
  return { faults, judged: cut.length + given.inputs, passed }
}

const program = new Command('recording')
  .description('changes what a push agent has sent, and judges it: no change may be a fault')
  .option('--seed <hex>', 'repeats the changes', freshSeed())
  .option('--inputs <n>', 'recordings to judge', '2000')
  .option('--log <file>', 'adds each change with the scenarios that do not pass, one a line')
process.exit(await main(program.parse().opts<Options>()))
