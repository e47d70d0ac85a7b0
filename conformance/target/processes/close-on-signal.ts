const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Ends the process with code 2 at the first SIGINT, SIGTERM or SIGHUP, after `close` has run; more signals change
 * nothing, since a terminal, npm and the bootstrap may each pass on the same Ctrl-C. Returns the way to undo it.
 */
export function closeOnSignal(close: () => Promise<void>): () => void {
  let closing = false
  const end = (signal: NodeJS.Signals) => {
    if (closing) return
    closing = true
    console.error(`assay: ended by ${signal}`)
    close()
      .catch((error: unknown) => console.error(`assay: ${messageOf(error)}`))
      .finally(() => process.exit(2))
  }
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}
