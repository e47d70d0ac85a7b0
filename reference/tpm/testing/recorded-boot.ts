import { existsSync, readdirSync, readFileSync } from 'node:fs'

const BOOT = 'fixtures/boots/full-ovmf-imasig/'

/** A build lies two folders below the root, this source three. */
const FOLDER = ['../../', '../../../']
  .map((root) => new URL(root + BOOT, import.meta.url))
  .reduce((near, far) => (existsSync(near) ? near : far))

/** Qualifying data of every quote of the recorded boot. */
export const RECORDED_NONCE: Uint8Array = new TextEncoder().encode('Ab3dEfGh1jKlMnOpQrSt')

/** One file of the recorded boot. */
export function recorded(file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(file, FOLDER)))
}

/** Names of the recorded files that end in `suffix`. */
export function recordedFiles(suffix: string): readonly string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith(suffix))
}

/** A copy with one bit changed. */
export function flipped(bytes: Uint8Array, at: number, bit = 0): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}
