import { startMutant } from './start-mutant.ts'

/** A request of the parent process; there is one mutant at a time. */
type HostRequest =
  | { readonly start: readonly string[]; readonly clock?: string }
  /** To end the mutant that runs. */
  | 'end'

let end: () => void = () => undefined

function send(what: object): void {
  process.send?.(what)
}

function start(words: readonly string[], clock: string | undefined): void {
  const stopRequested = new Promise<void>((resolve) => {
    end = resolve
  })
  const onListening = () => send({ listening: true })
  startMutant(words, { clock, onListening, stopRequested: () => stopRequested }).then(
    (code) => send({ ended: code }),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }),
  )
}

/**
 * A process in which mutants are started one after the other, each composed anew: code that has been loaded and
 * compiled once serves hundreds of them. It lives as long as its parent process.
 */
process.on('message', (asked: HostRequest) => {
  if (asked === 'end') end()
  else start(asked.start, asked.clock)
})
process.on('disconnect', () => process.exit())
