/** Something that a service does in place of the truth, the next times that a step is taken. */
export interface Operation<Step> {
  readonly on: Step
  /** Default 1. */
  readonly times?: number
}

/** What a service is told to do, in order. */
export interface Operations<Step, Told extends Operation<Step>> {
  /** Only what follows is done; what was told before is forgotten. */
  play(next: readonly Told[]): void
  /** What is done at this step, which counts as done once more; undefined where nothing is left for it. */
  take(step: Step): Told | undefined
}

export function operations<Step, Told extends Operation<Step>>(
  first: readonly Told[] = [],
): Operations<Step, Told> {
  let left = first
  return {
    play(next) {
      left = [...next]
    },
    take(step) {
      const operation = left.find(({ on }) => on === step)
      left = left.flatMap((one) => (one === operation ? lessOnce(one) : [one]))
      return operation
    },
  }
}

function lessOnce<Told extends Operation<unknown>>(operation: Told): readonly Told[] {
  const { times = 1 } = operation
  return times > 1 ? [{ ...operation, times: times - 1 }] : []
}
