import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, SetupFault } from '../../../conformance/input/fault.ts'
import { algorithmOf, KEY_TYPES } from '../kit/envelope.ts'
import type { Signer } from './signer.ts'

/** A signer with the private key of a PEM file. Throws `SetupFault`, which never has a part of the file. */
export function fileSigner(file: string): Signer {
  const key = privateKeyIn(file)
  const publicKey = createPublicKey(key)
  const algorithm = algorithmOf(publicKey)
  if (algorithm === undefined)
    throw new SetupFault(`${file} has a key that no certificate is signed with`, {
      next: `give a key of ${KEY_TYPES}`,
    })
  return {
    publicKey,
    how: `${algorithm.name}, key in a file`,
    sign: async (message) => sign(algorithm.hash, message, key),
  }
}

function privateKeyIn(file: string): KeyObject {
  const text = readKey(file)
  try {
    return createPrivateKey(text)
  } catch {
    const isLocked = /ENCRYPTED/.test(text)
    throw new SetupFault(
      isLocked ? `${file} is encrypted` : `${file} holds no private key in PEM`,
      {
        next: isLocked
          ? 'give the key without a passphrase, in a file that only you can read'
          : 'openssl genpkey -algorithm ed25519 -out runner.pem makes one',
      },
    )
  }
}

/** Permissions of those who are neither the owner of a file nor in its group. */
const ACCESS = 0o006
const ENTER = 0o001

function readKey(file: string): string {
  try {
    refuseReadable(file)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof SetupFault) throw cause
    throw new SetupFault(`the key ${file} cannot be read (${codeOf(cause) || 'unknown error'})`, {
      next: 'check --key',
      cause,
    })
  }
}

/** Refuses a key that every user of this machine can read or write, which needs directories that everyone can enter. */
function refuseReadable(file: string): void {
  const real = realpathSync(file)
  if (!allows(real, ACCESS) || !directoriesOf(real).every((one) => allows(one, ENTER))) return
  throw new SetupFault(`every user of this machine can read or write ${file}, which holds a key`, {
    next: `take that away with chmod o-rwx ${file}, and replace the key if others may have read it`,
  })
}

function allows(path: string, permission: number): boolean {
  return (statSync(path).mode & permission) !== 0
}

function directoriesOf(path: string): readonly string[] {
  const directory = dirname(path)
  return directory === path ? [] : [directory, ...directoriesOf(directory)]
}
