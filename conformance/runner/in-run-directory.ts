import { closeOnSignal } from '../target/processes/close-on-signal.ts'
import { createRunDirectory, type RunDirectory } from '../target/processes/run-directory.ts'

/** Runs `work` in a new run directory and ends the processes it started, also after an error or Ctrl-C. */
export async function inRunDirectory<T>(
  out: string,
  work: (run: RunDirectory, interrupted: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController()
  const run = createRunDirectory(out)
  let pending: Promise<unknown> = Promise.resolve()
  const undo = closeOnSignal(async () => {
    interrupted.abort()
    await pending
    await run.close()
  })
  try {
    const working = work(run, interrupted.signal)
    pending = Promise.allSettled([working])
    return await working
  } finally {
    await run.close()
    undo()
  }
}
