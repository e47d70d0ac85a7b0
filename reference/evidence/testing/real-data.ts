import { existsSync, readFileSync } from 'node:fs'

const DATA = new URL('../../../../shared/data/', import.meta.url)

/** Whether the real measurement data is missing next to the repository. */
export const absent = !existsSync(DATA)

/** Whether this folder of it is missing. */
export function absentFolder(name: string): boolean {
  return !existsSync(new URL(name, DATA))
}

/** Suffix of the title of a test that cannot run here. */
export const WHY_SKIPPED = absent
  ? ' (skipped: no real measurement data next to the repository)'
  : ''

/** One file of the real measurement data. */
export function real(file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(file, DATA)))
}
