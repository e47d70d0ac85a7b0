import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Check, Expectation } from '../../conformance/attempt/check.ts'
import type { CatalogueRow } from '../../conformance/catalogue/requirement.ts'
import { type Model, replay, type Step } from '../../conformance/model/model.ts'
import type { ScenarioResult } from '../../conformance/report/result.ts'
import type { RunEnvironment } from '../../conformance/runner/run-environment.ts'
import { runScenario } from '../../conformance/runner/run-scenario.ts'
import type { Context, Scenario } from '../../conformance/scenario.ts'
import { shorten } from './shorten.ts'

/** Wraps the check of a context and records whether a check has failed; silent rows do not count. */
function watchCheck(
  check: Check,
  rows: readonly CatalogueRow[],
): { readonly check: Check; hasFailed(): boolean } {
  const open = new Set(rows.filter(({ strength }) => strength === 'silent').map(({ id }) => id))
  let failed = false
  const seen = (requirement: string, holds: boolean): boolean => {
    if (!holds && !open.has(requirement)) failed = true
    return holds
  }
  const watchedOf = <T>(requirement: string, inner: Expectation<T>): Expectation<T> => ({
    is: (expected) => seen(requirement, inner.is(expected)),
    isNot: (unwanted) => seen(requirement, inner.isNot(unwanted)),
    isOneOf: (expected) => seen(requirement, inner.isOneOf(expected)),
    matches: (expected, holds) => seen(requirement, inner.matches(expected, holds)),
    meets: (readings) => seen(requirement, inner.meets(readings)),
  })
  const watched: Check = (requirement, what, cell) => {
    const { of, measured } = check(requirement, what, cell)
    return {
      of: (received) => watchedOf(requirement, of(received)),
      measured: (received) => watchedOf(requirement, measured(received)),
    }
  }
  return { check: watched, hasFailed: () => failed }
}

export interface Limits {
  /** Number of random sequences; the runs that minimize a counterexample are not counted. */
  readonly runs: number
  /** Maximum number of steps in a sequence; steps whose precondition does not hold are skipped. */
  readonly steps: number
  readonly seconds: number
}

/** Numbers of sequences, also those that minimize the counterexample, of their steps and of their checks. */
export interface Counted {
  readonly sequences: number
  readonly steps: number
  readonly checks: number
}

/** A deviation from the model. Two deviations with the same requirement and the same `what` have the same defect. */
interface Deviation {
  /** Undefined if the sequence could not continue. */
  readonly requirement: string | undefined
  readonly what: string
  /** One sentence: what was expected, and what was received. */
  readonly sentence: string
}

export interface Counterexample {
  readonly deviation: Deviation
  /** Names of the steps; the check of the last one failed. */
  readonly steps: readonly string[]
  /** Number of steps before minimization. */
  readonly before: number
  /** Whether the minimized sequence fails the same check when it runs again. */
  readonly isReproduced: boolean
}

export interface Exploration extends Counted {
  /** Number of random sequences. */
  readonly ran: number
  readonly counterexample: Counterexample | undefined
  /** Reason of a harness fault; undefined if there was none. */
  readonly fault: string | undefined
}

/** Result of one sequence. */
interface SequenceResult {
  readonly steps: readonly string[]
  readonly deviation: Deviation | undefined
}

/** A running sequence. */
interface Ongoing<Sequence> {
  readonly sequence: Sequence
  hasDeviated(): boolean
  take(step: Step<Sequence>): Promise<void>
}

/** A step as a fast-check command; its precondition is checked when its turn comes. */
class StepCommand<Sequence> implements fc.AsyncCommand<Ongoing<Sequence>, Ongoing<Sequence>> {
  readonly #step: Step<Sequence>

  constructor(step: Step<Sequence>) {
    this.#step = step
  }

  check({ sequence, hasDeviated }: Ongoing<Sequence>): boolean {
    return !hasDeviated() && this.#step.possible(sequence)
  }

  run(_: Ongoing<Sequence>, ongoing: Ongoing<Sequence>): Promise<void> {
    return ongoing.take(this.#step)
  }

  toString(): string {
    return this.#step.name
  }
}

type Commands<Sequence> = Iterable<fc.AsyncCommand<Ongoing<Sequence>, Ongoing<Sequence>>>

/** The deviation in a result: a failed check on a fixed row, or a step that could not be carried out. */
function deviationOf({ outcome, reason = '', checks }: ScenarioResult): Deviation | undefined {
  if (outcome !== 'fail' && outcome !== 'hang') return undefined
  const check = checks.find(({ ok, strength }) => !ok && strength === undefined)
  // Numbers and process output after the first comma differ from run to run.
  const [what = ''] = reason.split(',')
  if (check === undefined) return { requirement: undefined, what, sentence: reason }
  return { requirement: check.requirement, what: check.what, sentence: reason }
}

function isSame(one: Deviation, other: Deviation): boolean {
  return one.requirement === other.requirement && one.what === other.what
}

/** A fast-check seed is a 32-bit integer. */
function numberOf(seed: string): number {
  return createHash('sha256').update(seed).digest().readInt32BE(0)
}

function sequencesOf<Sequence>(model: Model<Sequence>, most: number) {
  const drawn = model.steps.map((step) => ({
    weight: step.weight ?? 1,
    arbitrary: fc.constant(new StepCommand(step)),
  }))
  return fc.commands([fc.oneof(...drawn)], { maxCommands: most, size: 'max' })
}

/** Runs sequences against one deployment until the time limit. */
class Runner<Sequence> {
  readonly #environment: RunEnvironment
  readonly #model: Model<Sequence>
  readonly #deadline: number
  readonly counted = { sequences: 0, steps: 0, checks: 0 }
  fault: string | undefined

  constructor(environment: RunEnvironment, model: Model<Sequence>, seconds: number) {
    this.#environment = environment
    this.#model = model
    this.#deadline = environment.now() + seconds * 1000
  }

  isOver(): boolean {
    const { interrupted, now } = this.#environment
    return interrupted.aborted || this.fault !== undefined || now() > this.#deadline
  }

  /** Runs a generated sequence until its first deviation. */
  async run(commands: Commands<Sequence>): Promise<SequenceResult> {
    const { begin, take } = this.#model
    const steps: string[] = []
    const deviation = await this.#run(async (context, hasDeviated) => {
      steps.length = 0
      const sequence = await begin(context)
      const ongoing: Ongoing<Sequence> = {
        ...{ sequence, hasDeviated },
        take: (step) => {
          steps.push(step.name)
          return take(sequence, step)
        },
      }
      await fc.asyncModelRun(() => ({ model: ongoing, real: ongoing }), commands)
    })
    this.counted.steps += steps.length
    return { steps, deviation }
  }

  /** Runs a sequence given by the names of its steps. */
  repeat(steps: readonly string[]): Promise<Deviation | undefined> {
    return this.#run((context) => replay(this.#model, context, steps))
  }

  async #run(
    run: (context: Context, hasDeviated: () => boolean) => Promise<void>,
  ): Promise<Deviation | undefined> {
    this.counted.sequences += 1
    const number = this.counted.sequences
    const { role, requirements } = this.#model
    const scenario: Scenario = {
      ...{ id: `story.${number}`, title: 'The subject agrees with the model' },
      ...{ role, requirements, since: '3.0' },
      run: async (context) => {
        const { check, hasFailed } = watchCheck(context.check, this.#environment.rows)
        await run({ ...context, check }, hasFailed)
        // Without an observation, a sequence without checks would count as a harness fault.
        context.observe('SEQUENCE', 'it ran to its end', !hasFailed())
      },
    }
    const result = await runScenario(this.#environment, { scenario, version: '3.0' }, `t${number}`)
    this.counted.checks += result.checks.length
    if (result.outcome === 'harness-fault') this.fault = result.reason
    return deviationOf(result)
  }
}

/** Minimizes a sequence and runs the result once more. */
async function minimize<Sequence>(
  runner: Runner<Sequence>,
  { steps, deviation }: SequenceResult & { readonly deviation: Deviation },
): Promise<Counterexample> {
  const deviates = async (shorter: readonly string[]): Promise<boolean> => {
    if (runner.isOver()) return false
    const seen = await runner.repeat(shorter)
    return seen !== undefined && isSame(seen, deviation)
  }
  const short = await shorten(steps, deviates)
  const seen = await runner.repeat(short)
  const isReproduced = seen !== undefined && isSame(seen, deviation)
  return { deviation: seen ?? deviation, steps: short, before: steps.length, isReproduced }
}

/**
 * Runs random sequences until the first deviation, and minimizes it. The same seed generates the same sequences. `begun`
 * receives the counts, which go up.
 */
export async function explore<Sequence>(
  environment: RunEnvironment,
  model: Model<Sequence>,
  { runs, steps, seconds }: Limits,
  begun: (counted: Counted) => void = () => undefined,
): Promise<Exploration> {
  const runner = new Runner(environment, model, seconds)
  begun(runner.counted)
  let first: (SequenceResult & { readonly deviation: Deviation }) | undefined
  const property = fc.asyncProperty(sequencesOf(model, steps), async (commands) => {
    if (runner.isOver()) return true
    const { steps: taken, deviation } = await runner.run(commands)
    if (deviation !== undefined) first = { steps: taken, deviation }
    return deviation === undefined
  })
  // fast-check does not shrink: removing steps takes fewer runs than shrinking what the sequence was generated from.
  await fc.check(property, {
    ...{ seed: numberOf(environment.seed), numRuns: runs },
    ...{ endOnFailure: true, unbiased: true },
  })
  const ran = runner.counted.sequences
  const counterexample = first && (await minimize(runner, first))
  return { ...runner.counted, ran, counterexample, fault: runner.fault }
}
