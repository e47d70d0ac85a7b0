import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NAMES } from './tls-names.ts'

const POLL_MS = 100

interface Place {
  readonly state_dir: string
  /** Absent for an agent, which has no such setting. */
  readonly tls_dir?: string
}

/**
 * Waits for the CA that a verifier makes at its start, so that servers and agents can be started together. Only a component
 * with a TLS file at its default place waits. Resolves when the CA exists, or after `seconds`: the fault is the reader's.
 */
export async function waitForCa(
  { state_dir, tls_dir = 'default' }: Place,
  files: readonly string[],
  seconds: number,
): Promise<void> {
  const file = join(state_dir, 'cv_ca', NAMES.ca)
  const isNeeded = tls_dir === 'default' && files.includes('default')
  if (!isNeeded || existsSync(file) || seconds === 0) return
  process.stdout.write(`waiting ${seconds} s for ${file}, which a verifier makes at its start\n`)
  const until = performance.now() + seconds * 1000
  while (!existsSync(file) && performance.now() < until) await pause(POLL_MS)
}
