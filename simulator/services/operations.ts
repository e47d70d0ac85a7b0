/** A scripted answer of a service for the next requests of one step. */
export interface Operation<Step> {
  readonly on: Step
  /** Default 1. */
  readonly times?: number
}

/** A queue of scripted answers. */
export interface Operations<Step, Told extends Operation<Step>> {
  /** Replaces the queue. */
  play(next: readonly Told[]): void
  /** Takes the next scripted answer to this step; undefined if none is left. */
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
