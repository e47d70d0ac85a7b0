import type { Context, Scenario } from '../scenario.ts'

/** One thing that can happen in a story. */
export interface Step<Story> {
  /** As it is called in a scenario that was found. */
  readonly name: string
  /** How often it is drawn, beside 1 for the others. */
  readonly weight?: number
  /** Requirement rows that its checks speak for. */
  readonly requirements: readonly string[]
  /** Whether it can happen now: later steps stand on earlier ones. */
  possible(story: Story): boolean
  /** Does it, checks what the subject shows against the model, and moves the model. */
  run(story: Story): Promise<void>
}

/** A kind of story: who is judged in it, how it begins, and what can happen. */
export interface Telling<Story> {
  /** The subject, and the name by which a scenario that was found asks for this telling. */
  readonly role: Scenario['role']
  readonly requirements: readonly string[]
  readonly steps: readonly Step<Story>[]
  begin(context: Context): Promise<Story>
  /** Takes one step, and holds what the subject shows against the model. */
  take(story: Story, step: Step<Story>): Promise<void>
}

/** Lets a story happen again: its steps by their names, as a scenario that was found has them. */
export async function replay<Story>(
  { begin, take, steps }: Telling<Story>,
  context: Context,
  names: readonly string[],
): Promise<void> {
  const story = await begin(context)
  for (const name of names) {
    const step = steps.find((one) => one.name === name)
    if (step === undefined) throw new RangeError(`a story has no step called ${name}`)
    if (step.possible(story)) await take(story, step)
    else context.note(`step: ${name}, which is not possible here`)
  }
}
