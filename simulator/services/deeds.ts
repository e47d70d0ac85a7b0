/** Something that a service does in place of the truth, the next times that a step is taken. */
export interface Deed<Step> {
  readonly on: Step
  /** Default 1. */
  readonly times?: number
}

/** What a service is told to do, in order. */
export interface Deeds<Step, Told extends Deed<Step>> {
  /** Only what follows is done; what was told before is forgotten. */
  play(next: readonly Told[]): void
  /** What is done at this step, which counts as done once more; undefined where nothing is left for it. */
  take(step: Step): Told | undefined
}

export function deeds<Step, Told extends Deed<Step>>(
  first: readonly Told[] = [],
): Deeds<Step, Told> {
  let left = first
  return {
    play(next) {
      left = [...next]
    },
    take(step) {
      const deed = left.find(({ on }) => on === step)
      left = left.flatMap((one) => (one === deed ? lessOnce(one) : [one]))
      return deed
    },
  }
}

function lessOnce<Told extends Deed<unknown>>(deed: Told): readonly Told[] {
  const { times = 1 } = deed
  return times > 1 ? [{ ...deed, times: times - 1 }] : []
}
