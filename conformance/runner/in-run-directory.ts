import { closeOnSignal } from '../target/processes/close-on-signal.ts'
import { createRunDirectory, type RunDirectory } from '../target/processes/run-directory.ts'

/** Does some work in a run directory of its own, and ends what was started in it however the work ends, also after Ctrl-C. */
export async function inRunDirectory<T>(
  out: string,
  work: (run: RunDirectory, interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController()
  const run = createRunDirectory(out)
  let inHand: Promise<unknown> = Promise.resolve()
  const undo = closeOnSignal(async () => {
    interrupted.abort()
    await inHand
    await run.close()
  })
  try {
    const working = work(run, interrupted.signal)
    inHand = Promise.allSettled([working])
    return await working
  } finally {
    await run.close()
    undo()
  }
}
