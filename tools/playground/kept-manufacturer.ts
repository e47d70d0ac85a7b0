import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { createManufacturer, type Manufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { MAKER_FILE } from './kept-playground.ts'

/** The TPM manufacturer of a directory, with a persistent key. Throws a {@link SetupFault} if the key file is invalid. */
export async function keptManufacturer(directory: string): Promise<Manufacturer> {
  const file = join(directory, MAKER_FILE)
  return createManufacturer({
    now: new Date(),
    key: existsSync(file) ? readKey(file) : makeKey(file),
  })
}

function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return privateKey
}

function readKey(file: string): KeyObject {
  const key = parseKey(file)
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new SetupFault(`${file} holds no private P-256 key in PEM`, {
    next: 'restore it from a backup, or pass another directory',
  })
}

function parseKey(file: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(file))
  } catch {
    return undefined
  }
}
