import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The verdict of another program on some bytes. */
export interface Answer {
  readonly accepts: boolean
  readonly text: string
}

/** Whether a program is on PATH. */
export function isThere(program: string): boolean {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories.some((directory) => existsSync(join(directory, program)))
}

const DEADLINE_MS = 15_000

/**
 * Asks a program; ending with another code than 0 is a refusal.
 *
 * @throws {Error} when it hangs, crashes or cannot be started, which is no answer
 */
export function ask(program: string, words: readonly string[]): Promise<Answer> {
  const options = { timeout: DEADLINE_MS, killSignal: 'SIGKILL' } as const
  return new Promise((resolve, reject) => {
    execFile(program, words, options, (error, stdout) => {
      if (!error) resolve({ accepts: true, text: stdout })
      else if (typeof error.code === 'number') resolve({ accepts: false, text: stdout })
      else reject(new Error(`${program} gave no answer (${error.signal ?? error.code})`))
    })
  })
}

/** An empty directory that goes with the test. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-oracle-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Writes files for a program to read; gives their paths in the order of the names. */
export function put(
  directory: string,
  files: Readonly<Record<string, Uint8Array | string>>,
): readonly string[] {
  return Object.entries(files).map(([name, content]) => {
    const path = join(directory, name)
    writeFileSync(path, content)
    return path
  })
}

/** All the results, a few at a time and in order. */
export async function each<T, R>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const AT_ONCE = 4
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE).map((item, index) => run(item, at + index))
    results.push(...(await Promise.all(some)))
  }
  return results
}
