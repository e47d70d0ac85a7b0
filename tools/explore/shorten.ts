/** How often a story may be told to make it shorter. */
const MOST_TRIES = 40

/**
 * Leaves steps out of a story as long as it breaks the same: first all of one name together, then each by itself, from
 * the last one on, until none can be missed. `breaks` tells a story; it says false when there is no time left.
 */
export async function shorten(
  steps: readonly string[],
  breaks: (steps: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  let tries = 0
  const attempt = async (shorter: readonly string[], longer: readonly string[]) => {
    if (shorter.length === longer.length || tries >= MOST_TRIES) return longer
    tries += 1
    return (await breaks(shorter)) ? shorter : longer
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
