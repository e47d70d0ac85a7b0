/** Maximum number of runs that minimize a sequence. */
const MOST_RUNS = 40

/**
 * Removes steps from a sequence while the deviation stays the same: first all steps of one name, then single steps from
 * the last to the first, until every step is necessary. `deviates` runs a sequence; it returns false after the time limit.
 */
export async function shorten(
  steps: readonly string[],
  deviates: (steps: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  let runs = 0
  const attempt = async (shorter: readonly string[], longer: readonly string[]) => {
    if (shorter.length === longer.length || runs >= MOST_RUNS) return longer
    runs += 1
    return (await deviates(shorter)) ? shorter : longer
  }
  let best = steps
  for (const name of new Set(steps))
    best = await attempt(
      best.filter((one) => one !== name),
      best,
    )
  for (let before = -1; before !== best.length; ) {
    before = best.length
    for (let at = best.length - 1; at >= 0; at--) best = await attempt(best.toSpliced(at, 1), best)
  }
  return best
}
