import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf, SetupFault } from '../../../conformance/input/fault.ts'

/** What a certificate is about: a product of the vendor, by its digest. */
export interface Subject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

const NAMED = /^(.+)=sha256:([0-9a-f]{64})$/

/** Reads one value of `--subject`: a file, or NAME=sha256:HEX such as the digest of an image. Throws `SetupFault`. */
export async function readSubject(text: string): Promise<Subject> {
  const [, name = '', sha256 = ''] = NAMED.exec(text) ?? []
  if (name !== '') return { name, digest: { sha256 } }
  return { name: basename(text), digest: { sha256: await digestOfFile(text) } }
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (cause) {
    const code = codeOf(cause) || 'unknown error'
    throw new SetupFault(`the subject ${file} cannot be read (${code})`, {
      next: 'give a file, or NAME=sha256: with 64 hexadecimal digits',
      cause,
    })
  }
  return hash.digest('hex')
}
