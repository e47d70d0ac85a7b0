import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether tpm2-tools are there: the reader of TPM bytes that nobody here wrote. */
export const HAS_TOOLS = (process.env.PATH ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'tpm2_checkquote')))

/** Runs one of tpm2-tools and gives what it prints; rejects when it ends with another code than 0. */
export async function tool(name: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(name, args, { timeout: 10_000 })
  return stdout
}
