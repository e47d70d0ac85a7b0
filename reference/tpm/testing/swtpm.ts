import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endSwtpm, socketIn, spawnSwtpm } from './spawn-swtpm.ts'

export interface TestTpm {
  /** Where it is, as the tools spell it; it takes one program at a time. */
  readonly tcti: string
  /** The TPM goes away, until it is reset. */
  stop(): Promise<void>
  /** The TPM is reset, as by a reboot of its machine; the connection must be opened again. */
  reset(): Promise<void>
}

const WITHIN_MS = 10_000

/** A virtual TPM, started up, with a state of its own; it ends with the test. */
export async function startSwtpm(): Promise<TestTpm> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-tpm-'))
  let child = await spawnSwtpm(directory, WITHIN_MS)
  onTestFinished(async () => {
    await endSwtpm(child)
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    tcti: `swtpm:path=${socketIn(directory)}`,
    stop: () => endSwtpm(child),
    async reset() {
      await endSwtpm(child)
      child = await spawnSwtpm(directory, WITHIN_MS)
    },
  }
}
