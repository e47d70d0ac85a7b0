import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

const FILE = join(packageRoot(), 'fixtures/boots/full-ovmf-imasig/swtpm-localca-rootca-cert.pem')

/** A certificate in DER, as hexadecimal, for a keyring. */
export const SOME_CERTIFICATE = derOf(readFileSync(FILE, 'latin1')).toString('hex')

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
}

/** The same certificate in PEM, for the `mtls_cert` of an agent. */
export const SOME_SERVER_CERTIFICATE = pemIn(readFileSync(FILE, 'latin1'))

function pemIn(text: string): string {
  return text.slice(text.indexOf('-----BEGIN'))
}
