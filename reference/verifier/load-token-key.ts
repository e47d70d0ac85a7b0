import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../errors.ts'
import { refuseReadable } from '../pki/private-file.ts'
import { makeDirectories } from '../platform/make-directories.ts'
import type { Random } from '../platform/random.ts'

export const TOKEN_KEY_BYTES = 32

/**
 * The key under which token secrets are hashed. It is stored next to the database, readable by its owner
 * only, so that tokens outlive a restart and a copied database gives none away.
 */
export function loadTokenKey(
  config: { readonly state_dir: string; readonly database: string },
  random: Random,
): Uint8Array {
  if (config.database === ':memory:') return random.bytes(TOKEN_KEY_BYTES)
  const file = join(config.state_dir, 'token.key')
  makeDirectories(config.state_dir)
  try {
    writeFileSync(file, random.bytes(TOKEN_KEY_BYTES), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  refuseReadable(file)
  const key = new Uint8Array(readFileSync(file))
  if (key.length === TOKEN_KEY_BYTES) return key
  throw new StartFault(
    `the token key ${file} has ${key.length} bytes, not ${TOKEN_KEY_BYTES}`,
    'remove it: a new one is made, and the tokens given out before end',
  )
}
