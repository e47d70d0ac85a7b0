/** Calls `act` for all items, `lanes` of them in parallel; throws the first error after all lanes have ended. */
export async function inParallel<T>(
  items: readonly T[],
  lanes: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const lane = async () => {
    for (const item of left) await act(item)
  }
  const settled = await Promise.allSettled(Array.from({ length: lanes }, lane))
  for (const one of settled) if (one.status === 'rejected') throw one.reason
}
