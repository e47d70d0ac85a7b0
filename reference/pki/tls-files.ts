import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartFault } from '../errors.ts'
import { CLIENT_AUTH, type Credential, SERVER_AUTH } from './authority.ts'
import { refuseReadable } from './private-file.ts'
import type { AdministratorPlaces, TlsPlaces } from './tls-names.ts'

/** The TLS files of a component, all PEM. */
export interface TlsFiles extends Credential {
  /** The authorities that clients may come from. */
  readonly ca: string
  /** Its client certificate and key. */
  readonly client?: Credential
}

const REPAIR =
  'start a verifier with tls_dir=generate (it makes the directory), or name another with --set tls_dir=DIRECTORY'
const REPLACE = 'replace the file, or name another in the settings'
const RENEW =
  'replace it; a directory that was generated may be moved away, and the next start makes another'
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const USAGES = {
  [SERVER_AUTH]: { role: 'servers', name: 'serverAuth' },
  [CLIENT_AUTH]: { role: 'clients', name: 'clientAuth' },
} as const

/**
 * Reads the TLS files of a component and refuses what no peer would accept: a file that is not there or
 * not PEM, a key of another certificate, a certificate out of its time or of another use; and a key that every user can read.
 *
 * @throws {StartFault} one sentence that names the file
 */
export function loadTlsFiles(places: TlsPlaces, now: number): TlsFiles {
  const { clientCertificate, clientKey } = places
  const client =
    clientCertificate === undefined || clientKey === undefined
      ? undefined
      : loadCredential({ certificate: clientCertificate, key: clientKey }, CLIENT_AUTH, now)
  return {
    ca: loadAuthorities(places.trustedClientCa, now),
    ...loadServerCredential({ certificate: places.serverCertificate, key: places.serverKey }, now),
    ...(client === undefined ? {} : { client }),
  }
}

/** The TLS files of an administrator's client, all PEM. */
export interface AdministratorFiles {
  /** The authorities that servers may come from. */
  readonly ca: string
  readonly identity: Credential
}

/**
 * Reads the files of an administrator's client; refuses what {@link loadTlsFiles} refuses.
 *
 * @throws {StartFault} one sentence that names the file
 */
export function loadAdministratorFiles(
  { trustedServerCa, clientCertificate, clientKey }: AdministratorPlaces,
  now: number,
): AdministratorFiles {
  const files = { certificate: clientCertificate, key: clientKey }
  return {
    ca: loadAuthorities(trustedServerCa, now),
    identity: loadCredential(files, CLIENT_AUTH, now),
  }
}

/** Certificates of authorities, one or several in a PEM file. @throws {StartFault} one sentence that names the file */
export function loadAuthorities(file: string, now: number): string {
  const pem = readTlsFile(file)
  const certificates = (pem.match(PEM_CERTIFICATE) ?? []).map((one) => parseCertificate(file, one))
  if (certificates.length === 0) throw new StartFault(`${file} holds no PEM certificate`, REPLACE)
  const wrong = certificates.find(({ ca }) => !ca)
  if (wrong !== undefined) {
    throw new StartFault(`${file} holds a certificate that is no authority's`, REPLACE)
  }
  for (const certificate of certificates) refuseOutOfTime(file, certificate, now)
  return pem
}

/** The certificate and key of a server, by the paths of their files. @throws {StartFault} one sentence that names the file */
export function loadServerCredential(files: Credential, now: number): Credential {
  return loadCredential(files, SERVER_AUTH, now)
}

/** A certificate and its key, by the paths of their files. */
function loadCredential(files: Credential, usage: keyof typeof USAGES, now: number): Credential {
  const { pem, certificate } = loadPair(files, now)
  refuseOtherUse(files.certificate, certificate, usage)
  return pem
}

/**
 * The CA of a TLS directory with its key, to issue from.
 *
 * @throws {StartFault} one sentence that names the file
 */
export function loadCertificateAuthority(
  certificate: string,
  key: string,
  now: number,
  passphrase?: string,
): Credential {
  const pair = loadPair({ certificate, key }, now, passphrase)
  if (!pair.certificate.ca) throw new StartFault(`${certificate} is no authority's`, REPLACE)
  if (pair.key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return pair.pem
  throw new StartFault(
    `the key ${key} is not of P-256, as a verifier makes it`,
    'issue the certificate with the tools that made this CA',
  )
}

/** A certificate and its key, for any use, by the paths of their files. @throws {StartFault} one sentence that names the file */
export function loadKeyPair(files: Credential, now: number, passphrase?: string): Credential {
  return loadPair(files, now, passphrase).pem
}

/** A key that has a passphrase is returned without it. */
function loadPair(files: Credential, now: number, passphrase?: string) {
  const pem = { certificate: readTlsFile(files.certificate), key: readTlsFile(files.key) }
  refuseReadable(files.key)
  const certificate = parseCertificate(files.certificate, pem.certificate)
  const key = parseKey(files.key, pem.key, passphrase)
  if (passphrase !== undefined) pem.key = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  if (!certificate.checkPrivateKey(key)) {
    throw new StartFault(`the key ${files.key} is not that of ${files.certificate}`, REPLACE)
  }
  refuseOutOfTime(files.certificate, certificate, now)
  return { pem, certificate, key }
}

function readTlsFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new StartFault(
      missing ? `the TLS file ${file} is missing` : `the TLS file ${file} cannot be read`,
      missing ? REPAIR : 'let the user that runs this read it',
      cause,
    )
  }
}

function parseCertificate(file: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw new StartFault(`${file} holds no PEM certificate`, REPLACE, cause)
  }
}

function parseKey(file: string, pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) })
  } catch (cause) {
    if (pem.includes('ENCRYPTED') && passphrase !== undefined)
      throw new StartFault(`the key ${file} has another passphrase`, 'give its passphrase', cause)
    if (pem.includes('ENCRYPTED')) {
      const next = `unlock it with openssl pkey -in ${file} -out NEW-FILE`
      throw new StartFault(`the key ${file} is locked with a passphrase`, next, cause)
    }
    throw new StartFault(`${file} holds no PEM private key`, REPLACE, cause)
  }
}

function refuseOutOfTime(file: string, certificate: X509Certificate, now: number): void {
  const { validFrom, validTo } = certificate
  if (Date.parse(validTo) < now) {
    throw new StartFault(`the certificate ${file} expired on ${validTo}`, RENEW)
  }
  if (Date.parse(validFrom) > now) {
    const next = 'wait until then, or check the clock of this machine'
    throw new StartFault(`the certificate ${file} is valid only from ${validFrom}`, next)
  }
}

/** A certificate without any extended key usage may be used for everything. */
function refuseOtherUse(
  file: string,
  certificate: X509Certificate,
  usage: keyof typeof USAGES,
): void {
  // Absent if the certificate has no such extension, in spite of the type.
  const usages: readonly string[] | undefined = certificate.keyUsage
  if (usages === undefined || usages.includes(usage)) return
  const { role, name } = USAGES[usage]
  throw new StartFault(
    `the certificate ${file} is not for ${role}: its extended key usage lacks ${name}`,
    REPLACE,
  )
}
