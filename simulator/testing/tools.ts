import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether tpm2-tools are installed: an independent reader of TPM bytes. */
export const HAS_TOOLS = (process.env.PATH ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'tpm2_checkquote')))

/** Runs one of tpm2-tools and returns its output; rejects if the exit code is not 0. */
export async function tool(name: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(name, args, { timeout: 10_000 })
  return stdout
}
