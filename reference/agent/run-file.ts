import { execFile } from 'node:child_process'

/** Runs a program and says how it ended: its exit code, or the signal that ended it. What it prints is nobody's. */
export function runFile(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | string> {
  return new Promise((resolve) => {
    execFile(file, args, options, (error) => {
      resolve(error === null ? 0 : (error.code ?? error.signal ?? 'an error'))
    })
  })
}
