import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NAMES } from './tls-names.ts'

const POLL_MS = 100

/**
 * Waits for the CA that a verifier makes at its start, so that servers and agents can be started together. Resolves when
 * the file exists, or after `seconds`: the fault is the reader's.
 */
export async function waitForCa(stateDirectory: string, seconds: number): Promise<void> {
  const file = join(stateDirectory, 'cv_ca', NAMES.ca)
  if (existsSync(file) || seconds === 0) return
  process.stdout.write(`waiting ${seconds} s for ${file}, which a verifier makes at its start\n`)
  const until = performance.now() + seconds * 1000
  while (!existsSync(file) && performance.now() < until) await pause(POLL_MS)
}
