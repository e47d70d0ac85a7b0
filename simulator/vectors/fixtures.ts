import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Directory of the recorded boot in the repository. */
export const FULL_BOOT = fileURLToPath(
  new URL('../../fixtures/boots/full-ovmf-imasig', import.meta.url),
)

/** Directory of a recorded boot next to the repository, or undefined if it is absent. */
export function neighbouringBoot(name: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../shared/data/own-boots/${name}`, import.meta.url))
  return existsSync(path) ? path : undefined
}

/** Returns the bytes of a file of the recorded boot. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FULL_BOOT}/${name}`))
}
