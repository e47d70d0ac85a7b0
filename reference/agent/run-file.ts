import { spawn } from 'node:child_process'

/**
 * Runs a program and returns how it ended: its exit code, or the signal. All output is discarded, and background
 * processes are not waited for.
 */
export function runFile(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | string> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: 'ignore' })
    child.once('error', ({ code = 'an error' }: NodeJS.ErrnoException) => resolve(code))
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'an error'))
  })
}
