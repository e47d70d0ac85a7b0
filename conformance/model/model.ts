import type { Context, Scenario } from '../scenario.ts'

/** One step of a sequence. */
export interface Step<Sequence> {
  /** Name in recorded sequences. */
  readonly name: string
  /** Relative probability. Default 1. */
  readonly weight?: number
  /** Requirements of its checks. */
  readonly requirements: readonly string[]
  /** Whether the step is possible in the current state. */
  possible(sequence: Sequence): boolean
  /** Runs the step, compares the subject with the model, and updates the model. */
  run(sequence: Sequence): Promise<void>
}

/** A model for model-based testing of one role: its initial state and its steps. */
export interface Model<Sequence> {
  /** The role of the subject, which also identifies the model in recorded sequences. */
  readonly role: Scenario['role']
  readonly requirements: readonly string[]
  readonly steps: readonly Step<Sequence>[]
  begin(context: Context): Promise<Sequence>
  /** Runs one step and compares the subject with the model. */
  take(sequence: Sequence, step: Step<Sequence>): Promise<void>
}

/** Replays a recorded sequence, given by step names. @throws {RangeError} for an unknown name */
export async function replay<Sequence>(
  { begin, take, steps }: Model<Sequence>,
  context: Context,
  names: readonly string[],
): Promise<void> {
  const sequence = await begin(context)
  for (const name of names) {
    const step = steps.find((one) => one.name === name)
    if (step === undefined) throw new RangeError(`unknown step ${JSON.stringify(name)}`)
    if (step.possible(sequence)) await take(sequence, step)
    else context.note(`step: ${name} (skipped: not possible in this state)`)
  }
}
