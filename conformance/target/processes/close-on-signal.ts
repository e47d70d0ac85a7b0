const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs `close` at the first SIGINT, SIGTERM or SIGHUP, then exits with code 2. Further signals are ignored, since a
 * terminal, npm and the bootstrap may each forward the same Ctrl-C. Returns a function that removes the handlers.
 */
export function closeOnSignal(close: (signal: NodeJS.Signals) => Promise<void>): () => void {
  let closing = false
  const end = (signal: NodeJS.Signals) => {
    if (closing) return
    closing = true
    console.error(`assay: ended by ${signal}`)
    close(signal)
      .catch((error: unknown) => console.error(`assay: ${messageOf(error)}`))
      .finally(() => process.exit(2))
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
