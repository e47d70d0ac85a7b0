import 'reflect-metadata'
import { KeyObject, sign, webcrypto } from 'node:crypto'
import { SubjectKeyIdentifierExtension, X509CertificateGenerator } from '@peculiar/x509'
import { toHex } from '../tpm/write.ts'
import { type FileSigner, makeFileSigner } from './file-signer.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const DAY = 86_400_000
const KEY_ID_SIZE = 4

/** A signer of files and the certificate of its key. */
export interface CertifiedSigner extends FileSigner {
  /** In DER. */
  readonly certificate: Uint8Array
}

/** Creates a signer whose certificate has this subject key identifier; its end is the kernel's key id in a signature. */
export async function certifiedFileSigner(
  identifier: Uint8Array,
  now: number,
): Promise<CertifiedSigner> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=signs files',
    keys,
    signingAlgorithm: { ...P256, hash: 'SHA-256' },
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 30 * DAY),
    extensions: [new SubjectKeyIdentifierExtension(toHex(identifier))],
  })
  const key = KeyObject.from(keys.privateKey)
  const publicDer = new Uint8Array(await webcrypto.subtle.exportKey('spki', keys.publicKey))
  const keyId = Buffer.from(identifier).readUInt32BE(identifier.length - KEY_ID_SIZE)
  const content = { publicDer, sign: (bytes: Uint8Array) => sign('sha256', bytes, key) }
  return { ...makeFileSigner(content, keyId), certificate: new Uint8Array(certificate.rawData) }
}
