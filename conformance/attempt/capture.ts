/** Returns what the step threw; undefined if it completed. */
export async function capture(step: () => Promise<void>): Promise<unknown> {
  try {
    await step()
    return undefined
  } catch (thrown) {
    return thrown ?? new Error('threw nothing')
  }
}
