/** Runs one thing after the other, in the order asked. */
type InTurn = <T>(use: () => Promise<T>) => Promise<T>

/** A queue of tasks; a failed task does not block the later ones. */
export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (use) => {
    const next = last.then(use)
    last = next.catch(() => undefined)
    return next
  }
}
