import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** A directory that every user can enter, as those of other tests are not; it ends with the test. */
export function openDirectory(): string {
  const directory = mkdtempSync('/tmp/assay-open-')
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  chmodSync(directory, 0o755)
  return directory
}
