import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { asking } from '../composed.ts'
import { developmentProgram } from '../development-program.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import type { ComposedVerifier } from './composed-verifier.ts'

const MAIN = developmentProgram('reference/dev/testing/verifier/verifier-process.ts')

/** A verifier in a process of its own. */
export interface SpawnedVerifier extends ComposedVerifier {
  /** Kills it like a loss of power, without any message. */
  kill(): Promise<void>
}

/** Starts one on a free port with some settings over their defaults, and its files in a directory; it ends with the test. */
export async function spawnedVerifier(
  settings: readonly string[] = [],
  state_dir: string = temporaryDirectory(),
): Promise<SpawnedVerifier> {
  const given = ['log_level=silent', 'port=0', `state_dir=${state_dir}`, ...settings]
  const words = given.flatMap((setting) => ['--set', setting])
  const child = spawn(process.execPath, [...MAIN, 'verifier', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  onTestFinished(() => end('SIGKILL'))
  const port = await portOf(child.stdout)
  const directory = join(state_dir, 'cv_ca')
  return {
    ask: asking(directory, port),
    ca: readFileSync(join(directory, 'cacert.crt'), 'utf8'),
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** The line that a listening component prints. */
async function portOf(output: AsyncIterable<unknown>): Promise<number> {
  let said = ''
  for await (const chunk of output) {
    said += String(chunk)
    const port = /listens at \S+:(\d+)\n/.exec(said)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error(`the verifier did not start: ${said}`)
}
