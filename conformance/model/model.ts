import type { Context, Scenario } from '../scenario.ts'

/** One thing that can happen in a story. */
export interface Step<Sequence> {
  /** As it is called in a scenario that was found. */
  readonly name: string
  /** How often it is drawn, beside 1 for the others. */
  readonly weight?: number
  /** Requirement rows that its checks speak for. */
  readonly requirements: readonly string[]
  /** Whether it can happen now: later steps stand on earlier ones. */
  possible(sequence: Sequence): boolean
  /** Does it, checks what the subject shows against the model, and moves the model. */
  run(sequence: Sequence): Promise<void>
}

/** A kind of story: who is judged in it, how it begins, and what can happen. */
export interface Model<Sequence> {
  /** The subject, and the name by which a scenario that was found asks for this telling. */
  readonly role: Scenario['role']
  readonly requirements: readonly string[]
  readonly steps: readonly Step<Sequence>[]
  begin(context: Context): Promise<Sequence>
  /** Takes one step, and holds what the subject shows against the model. */
  take(sequence: Sequence, step: Step<Sequence>): Promise<void>
}

/** Lets a story happen again: its steps by their names, as a scenario that was found has them. */
export async function replay<Sequence>(
  { begin, take, steps }: Model<Sequence>,
  context: Context,
  names: readonly string[],
): Promise<void> {
  const sequence = await begin(context)
  for (const name of names) {
    const step = steps.find((one) => one.name === name)
    if (step === undefined) throw new RangeError(`a story has no step called ${name}`)
    if (step.possible(sequence)) await take(sequence, step)
    else context.note(`step: ${name}, which is not possible here`)
  }
}
