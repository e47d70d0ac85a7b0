/** Calls `act` for all items, at most `parallel` at a time; throws the first error after all calls have ended. */
export async function inParallel<T>(
  items: readonly T[],
  parallel: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await act(item)
  }
  const settled = await Promise.allSettled(Array.from({ length: parallel }, worker))
  for (const one of settled) if (one.status === 'rejected') throw one.reason
}
