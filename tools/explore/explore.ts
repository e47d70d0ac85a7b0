import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { type Model, replay, type Step } from '../../conformance/model/model.ts'
import type { ScenarioResult } from '../../conformance/report/result.ts'
import type { RunEnvironment } from '../../conformance/runner/run-environment.ts'
import { runScenario } from '../../conformance/runner/run-scenario.ts'
import type { Context, Scenario } from '../../conformance/scenario.ts'
import { shorten } from './shorten.ts'
import { watchCheck } from './watch-check.ts'

export interface Limits {
  /** Stories that are told, beside those that make a counterexample smaller. */
  readonly runs: number
  /** Steps of a story; those that are not possible when it is their turn are left out. */
  readonly steps: number
  readonly seconds: number
}

/** What a story broke. Two stories with the same requirement and subject matter are about the same defect. */
export interface Broken {
  /** Undefined where the story could not go on. */
  readonly requirement: string | undefined
  readonly what: string
  /** One sentence: what was expected, and what was received. */
  readonly sentence: string
}

export interface Counterexample {
  readonly broken: Broken
  /** Names of the steps, the last of which broke the check. */
  readonly steps: readonly string[]
  /** Steps of the story that broke it first. */
  readonly before: number
  /** Whether the smallest story breaks the same check once more. */
  readonly again: boolean
}

export interface Exploration {
  /** Stories until one broke, and with those that made it shorter. */
  readonly ran: number
  readonly sequences: number
  readonly steps: number
  readonly checks: number
  readonly counterexample: Counterexample | undefined
  /** What kept the judge from telling a story to its end; undefined when nothing did. */
  readonly fault: string | undefined
}

/** What came of one story. */
interface Told {
  readonly steps: readonly string[]
  readonly broken: Broken | undefined
}

/** A story that is being told, until it breaks something. */
interface Ongoing<Sequence> {
  readonly sequence: Sequence
  isBroken(): boolean
  take(step: Step<Sequence>): Promise<void>
}

/** A step as a command of fast-check: whether it is possible is asked when it is its turn. */
class StepCommand<Sequence> implements fc.AsyncCommand<Ongoing<Sequence>, Ongoing<Sequence>> {
  readonly #step: Step<Sequence>

  constructor(step: Step<Sequence>) {
    this.#step = step
  }

  check({ sequence, isBroken }: Ongoing<Sequence>): boolean {
    return !isBroken() && this.#step.possible(sequence)
  }

  run(_: Ongoing<Sequence>, ongoing: Ongoing<Sequence>): Promise<void> {
    return ongoing.take(this.#step)
  }

  toString(): string {
    return this.#step.name
  }
}

type Commands<Sequence> = Iterable<fc.AsyncCommand<Ongoing<Sequence>, Ongoing<Sequence>>>

/** What a story broke: a check on a fixed row, or a step that it stands on. */
function brokenOf({ outcome, reason = '', checks }: ScenarioResult): Broken | undefined {
  if (outcome !== 'fail' && outcome !== 'hang') return undefined
  const check = checks.find(({ ok, strength }) => !ok && strength === undefined)
  // What follows the first comma are numbers and last words, which are others each time.
  const [what = ''] = reason.split(',')
  if (check === undefined) return { requirement: undefined, what, sentence: reason }
  return { requirement: check.requirement, what: check.what, sentence: reason }
}

function isSame(one: Broken, other: Broken): boolean {
  return one.requirement === other.requirement && one.what === other.what
}

/** fast-check takes whole numbers of 32 bits. */
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

/** Tells stories at one deployment, until its time is over. */
class Runner<Sequence> {
  readonly #bench: RunEnvironment
  readonly #telling: Model<Sequence>
  readonly #deadline: number
  readonly counted = { sequences: 0, steps: 0, checks: 0 }
  fault: string | undefined

  constructor(environment: RunEnvironment, model: Model<Sequence>, seconds: number) {
    this.#bench = environment
    this.#telling = model
    this.#deadline = environment.now() + seconds * 1000
  }

  isOver(): boolean {
    const { interrupted, now } = this.#bench
    return interrupted.aborted || this.fault !== undefined || now() > this.#deadline
  }

  /** Tells a story that was drawn, until it breaks something. */
  async tell(commands: Commands<Sequence>): Promise<Told> {
    const { begin, take } = this.#telling
    const steps: string[] = []
    const broken = await this.#run(async (context, isBroken) => {
      steps.length = 0
      const sequence = await begin(context)
      const ongoing: Ongoing<Sequence> = {
        ...{ sequence, isBroken },
        take: (step) => {
          steps.push(step.name)
          return take(sequence, step)
        },
      }
      await fc.asyncModelRun(() => ({ model: ongoing, real: ongoing }), commands)
    })
    this.counted.steps += steps.length
    return { steps, broken }
  }

  /** Tells a story by the names of its steps. */
  repeat(steps: readonly string[]): Promise<Broken | undefined> {
    return this.#run((context) => replay(this.#telling, context, steps))
  }

  async #run(
    run: (context: Context, isBroken: () => boolean) => Promise<void>,
  ): Promise<Broken | undefined> {
    this.counted.sequences += 1
    const number = this.counted.sequences
    const { role, requirements } = this.#telling
    const scenario: Scenario = {
      ...{ id: `story.${number}`, title: 'A story', role, requirements, since: '3.0' },
      run: async (context) => {
        const { check, isBroken } = watchCheck(context.check, this.#bench.rows)
        await run({ ...context, check }, isBroken)
        // A story in which nothing was to be judged is none of the judge's faults.
        context.observe('STORY', 'it was told to its end', !isBroken())
      },
    }
    const result = await runScenario(this.#bench, { scenario, version: '3.0' }, `t${number}`)
    this.counted.checks += result.checks.length
    if (result.outcome === 'harness-fault') this.fault = result.reason
    return brokenOf(result)
  }
}

/** Makes a story as short as it gets, and tells it once more. */
async function shortest<Sequence>(
  runner: Runner<Sequence>,
  { steps, broken }: Told & { readonly broken: Broken },
): Promise<Counterexample> {
  const breaks = async (shorter: readonly string[]): Promise<boolean> => {
    if (runner.isOver()) return false
    const seen = await runner.repeat(shorter)
    return seen !== undefined && isSame(seen, broken)
  }
  const short = await shorten(steps, breaks)
  const seen = await runner.repeat(short)
  const again = seen !== undefined && isSame(seen, broken)
  return { broken: seen ?? broken, steps: short, before: steps.length, again }
}

/** Explores what a subject does over many stories, until it gets one wrong; the same seed tells the same ones. */
export async function explore<Sequence>(
  environment: RunEnvironment,
  model: Model<Sequence>,
  { runs, steps, seconds }: Limits,
): Promise<Exploration> {
  const runner = new Runner(environment, model, seconds)
  let first: (Told & { readonly broken: Broken }) | undefined
  const property = fc.asyncProperty(sequencesOf(model, steps), async (commands) => {
    if (runner.isOver()) return true
    const { steps: taken, broken } = await runner.tell(commands)
    if (broken !== undefined) first = { steps: taken, broken }
    return broken === undefined
  })
  // A story is made shorter by what it is made of, which takes fewer tellings than by what it was drawn from.
  await fc.check(property, {
    ...{ seed: numberOf(environment.seed), numRuns: runs },
    ...{ endOnFailure: true, unbiased: true },
  })
  const ran = runner.counted.sequences
  const counterexample = first && (await shortest(runner, first))
  return { ...runner.counted, ran, counterexample, fault: runner.fault }
}
