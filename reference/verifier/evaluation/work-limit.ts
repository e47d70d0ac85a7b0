/** How much of a limit passes between two looks at least. */
const LOOK = 0.25

/**
 * Calls `over` once a thread has worked for `limit` milliseconds, by `worked`, its CPU time: on a busy machine that takes
 * longer than it does alone. A thread that does not work at all for a quarter of the limit is over too, and where its
 * CPU time is not known the clock decides.
 *
 * @returns what ends the watch
 */
export function watchWork(
  limit: number,
  worked: () => number | undefined,
  over: () => void,
): () => void {
  const start = worked()
  let last = start
  let timer = setTimeout(look, limit)
  function look(): void {
    const now = worked()
    if (start === undefined || now === undefined || now === last || now - start >= limit) over()
    else {
      last = now
      timer = setTimeout(look, Math.max(limit - (now - start), limit * LOOK))
    }
  }
  return () => clearTimeout(timer)
}
