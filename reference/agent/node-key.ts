import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { StartFault } from '../errors.ts'
import { writeOwnFile } from './own-files.ts'

/** The key that V and U are encrypted for; its digest is in PCR 16 (interface document, "Pull-mode agent resources"). */
export interface NodeKey {
  readonly private: KeyObject
  /** SubjectPublicKeyInfo in PEM, with the newline at its end: the input of the digest (ambiguity PCR16). */
  readonly pem: string
}

const BITS = 2048

/**
 * The node key of an earlier start, or a new one.
 *
 * @throws {StartFault} the file is there and holds no RSA-2048 key
 */
export async function loadNodeKey(file: string): Promise<NodeKey> {
  const kept = read(file)
  const key = kept === undefined ? await make(file) : parse(file, kept)
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { private: key, pem }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, cause)
  }
}

async function make(file: string): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
  writeOwnFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return privateKey
}

function parse(file: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyDetails?.modulusLength === BITS) return key
  } catch (cause) {
    throw unusable(file, cause)
  }
  throw unusable(file)
}

function unusable(file: string, cause?: unknown): StartFault {
  return new StartFault(
    `${file} holds no private key of RSA-${BITS} that can be read`,
    'move the file away, and the next start makes another key',
    cause,
  )
}
