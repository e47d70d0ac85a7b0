import type { Parts } from '../../compose/parts.ts'
import { main } from '../../main.ts'
import { movedClock } from '../testing/moved-clock.ts'

/** Parts the words of one component from those of another. */
const AND = 'and'

function wordsByComponent(argv: readonly string[]): readonly (readonly string[])[] {
  const at = argv.indexOf(AND)
  if (at === -1) return argv.length === 0 ? [] : [argv]
  return [argv.slice(0, at), ...wordsByComponent(argv.slice(at + 1))]
}

/** The environment of the components. */
export interface Surroundings {
  /** The file that moves the clock; the machine's clock without one. */
  readonly clock?: string | undefined
  /** Called once all components can be asked. */
  readonly onListening?: () => void
  /** The components end when this resolves; without it on SIGINT or SIGTERM. */
  readonly stopRequested?: () => Promise<void>
}

/** Starts the components of the command line, `verifier … [and registrar …]…`, and resolves with the exit code once they have ended. */
export async function startComponents(
  argv: readonly string[],
  given: Parts,
  { clock, onListening, stopRequested }: Surroundings,
): Promise<number> {
  const parts = { ...given, ...(clock === undefined ? {} : { clock: movedClock(clock) }) }
  const starts = wordsByComponent(argv)
  const codes: Promise<number>[] = []
  // One after the other, as the first of them makes the CA.
  for (const words of starts)
    await new Promise<void>((resolve, reject) => {
      const code = main(words, parts, resolve, stopRequested)
      // A command of the tenant ends without listening.
      code.then(() => resolve(), reject)
      codes.push(code)
    })
  onListening?.()
  return Math.max(...(await Promise.all(codes)))
}
