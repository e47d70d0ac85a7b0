/** What a step threw; undefined when it came to its end. */
export async function capture(step: () => Promise<void>): Promise<unknown> {
  try {
    await step()
    return undefined
  } catch (thrown) {
    return thrown ?? new Error('threw nothing')
  }
}
