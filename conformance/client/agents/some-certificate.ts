import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

const FILE = join(packageRoot(), 'fixtures/boots/full-ovmf-imasig/swtpm-localca-rootca-cert.pem')

/** A certificate in DER, in hexadecimal: a key that can be added to a keyring. */
export const SOME_CERTIFICATE = derOf(readFileSync(FILE, 'latin1')).toString('hex')

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
}

/** The same in PEM, as an agent's HTTPS server could show it. */
export const SOME_SERVER_CERTIFICATE = pemIn(readFileSync(FILE, 'latin1'))

function pemIn(text: string): string {
  return text.slice(text.indexOf('-----BEGIN'))
}
