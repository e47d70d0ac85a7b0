import { X509Certificate } from 'node:crypto'
import type { Certificate } from '../../../evidence/ek-certificate/parse-certificate.ts'
import { subjectPublicKey } from '../../../evidence/ek-certificate/subject-key.ts'
import type { PathCertificate } from '../../../pki/path-certificate.ts'
import { NOON } from '../certificates.ts'

const EK_CERTIFICATE = '2.23.133.8.1'
const EARLIEST = Date.UTC(1000, 0, 1)

/** Why OpenSSL's reading says that a certificate must not pass; undefined when it may. */
export function certificateMustNotPass(
  { certificate: theirs, read }: PathCertificate,
  given: Uint8Array,
  store: readonly PathCertificate[],
): string | undefined {
  const said: readonly (readonly [bad: boolean, why: string])[] = [
    [!isFilled(given, theirs), 'something stands around the certificate'],
    [!(Date.parse(theirs.validFrom) <= NOON), 'the certificate is not valid yet'],
    [!(NOON <= Date.parse(theirs.validTo)), 'the time of the certificate is over'],
    [theirs.ca, 'the certificate is one of an authority'],
    [theirs.keyUsage?.includes(EK_CERTIFICATE) === false, 'the certificate is for another purpose'],
    [
      !store.some(({ certificate }) => isIssuer(certificate, theirs)),
      'nobody in the store signed it',
    ],
    [!isLargeKey(read), 'the key is not one of an endorsement key'],
    [isOutside(theirs), 'the maker may not give this name'],
  ]
  return said.find(([bad]) => bad)?.[1]
}

/** The certificate, a header of 7 bytes at most before it, and zeros or 0xff after it. */
function isFilled(given: Uint8Array, { raw }: X509Certificate): boolean {
  const at = Buffer.from(given).indexOf(raw)
  const rest = given.subarray(at + raw.length)
  return (
    (at === 0 || at === 7) &&
    (rest.every((byte) => byte === 0) || rest.every((byte) => byte === 255))
  )
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isLargeKey({ key }: Certificate): boolean {
  const loaded = attempt(() => subjectPublicKey(key))
  if (loaded === undefined) return false
  const { asymmetricKeyType: kind, asymmetricKeyDetails } = loaded
  return kind === 'ec' || (kind === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048)
}

/** The narrow maker names what is below the common name TPM, whatever its case and blanks. */
function isOutside({ issuer, subject, subjectAltName = '' }: X509Certificate): boolean {
  if (!/^CN=\s*narrow\s*$/i.test(issuer ?? '') || subjectAltName.includes('DirName')) return false
  const [first = ''] = (subject ?? '').split('\n')
  return first !== '' && !/^CN=\s*tpm\s*$/i.test(first.normalize())
}

/** Where two readers of one certificate do not say the same; undefined where they do, and where OpenSSL reads none. */
export function otherThanOpenssl(read: Certificate): string | undefined {
  const theirs = attempt(() => new X509Certificate(read.der))
  if (theirs === undefined) return undefined
  if (!theirs.raw.equals(read.der)) return 'OpenSSL ends the certificate elsewhere'
  if (differs(read.notBefore, theirs.validFrom) || differs(read.notAfter, theirs.validTo))
    return 'OpenSSL reads another time'
  if (read.constraints?.ca === false && theirs.ca) return 'OpenSSL reads an authority'
  if (theirs.keyUsage && String(theirs.keyUsage) !== String(read.usages))
    return 'OpenSSL reads other purposes'
  const [ours, key] = [attempt(() => subjectPublicKey(read.key)), attempt(() => theirs.publicKey)]
  return ours && key && !ours.equals(key) ? 'OpenSSL reads another key' : undefined
}

function differs(ours: number, theirs: string): boolean {
  const time = Date.parse(theirs)
  return ours >= EARLIEST && !Number.isNaN(time) && time !== ours
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
