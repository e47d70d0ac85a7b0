/** A scripted answer of a service for the next requests of one step. */
export interface Operation<Step> {
  readonly on: Step
  /** Default 1. */
  readonly times?: number
}

/** A queue of scripted answers. */
interface Operations<Step, Scripted extends Operation<Step>> {
  /** Replaces the queue. */
  play(next: readonly Scripted[]): void
  /** Takes the next scripted answer to this step; undefined if none is left. */
  take(step: Step): Scripted | undefined
}

export function operations<Step, Scripted extends Operation<Step>>(
  first: readonly Scripted[] = [],
): Operations<Step, Scripted> {
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

function lessOnce<Scripted extends Operation<unknown>>(operation: Scripted): readonly Scripted[] {
  const { times = 1 } = operation
  return times > 1 ? [{ ...operation, times: times - 1 }] : []
}
