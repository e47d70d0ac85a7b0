import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { codeOf, SetupFault } from '../input/fault.ts'
import type { FaultCode } from '../input/fault-codes.ts'
import type { Target } from './target.ts'

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
/** Keys that client certificates can be signed with. */
const ISSUING_KEYS: ReadonlySet<string | undefined> = new Set(['rsa', 'ec'])
const WHY_UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'is not there'],
  ['EACCES', 'may not be read'],
  ['EISDIR', 'is a directory'],
])

/** A look at one of the target's files: what it is, and what was seen; throws a {@link SetupFault} when it will not do. */
export interface FileCheck {
  readonly what: string
  readonly look: () => string
  /** The files it reads. */
  readonly files: readonly string[]
}

interface Named {
  /** As a sentence begins with it, e.g. `the administrator's key`. */
  readonly what: string
  /** Its place in the target file. */
  readonly key: string
  readonly file: string
}

function fault(
  code: FaultCode,
  { what, key, file }: Named,
  says: string,
  cause?: unknown,
): SetupFault {
  const next = `correct ${key}, or the file`
  return new SetupFault(`${what} ${file} ${says}`, { code, next, cause })
}

function readPem(named: Named): string {
  try {
    return readFileSync(named.file, 'utf8')
  } catch (cause) {
    throw fault(
      'D-CERT-UNREADABLE',
      named,
      WHY_UNREADABLE.get(codeOf(cause)) ?? `cannot be read (${codeOf(cause)})`,
      cause,
    )
  }
}

function parseCertificate(named: Named): X509Certificate {
  const pem = readPem(named)
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw fault('D-CERT-UNREADABLE', named, 'holds no PEM certificate', cause)
  }
}

function parseKey(named: Named): KeyObject {
  const pem = readPem(named)
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const locked = codeOf(cause) === 'ERR_MISSING_PASSPHRASE'
    throw fault(
      'D-CERT-UNREADABLE',
      named,
      locked ? 'is locked with a passphrase' : 'holds no PEM private key',
      cause,
    )
  }
}

function refuseOutOfDate(named: Named, certificate: X509Certificate, now: Date): void {
  if (new Date(certificate.validTo) < now)
    throw fault('D-CERT-EXPIRED', named, `expired on ${certificate.validTo}`)
  if (new Date(certificate.validFrom) > now) {
    throw fault('D-CERT-EXPIRED', named, `is valid only from ${certificate.validFrom}`)
  }
}

/** What the extended key usage allows; a certificate without one is allowed, but the document asks for clientAuth. */
function describeUsage(named: Named, certificate: X509Certificate): string {
  // Absent on Node 20 when the certificate has no such extension, whatever the type says.
  const usage: readonly string[] | undefined = certificate.keyUsage
  if (usage === undefined)
    return 'warning: it has no extended key usage, the interface asks for clientAuth'
  if (usage.includes(CLIENT_AUTH)) return 'extended key usage clientAuth'
  throw fault('D-CERT-EKU', named, 'is not for clients: its extended key usage lacks clientAuth')
}

/** How a person has named each file. */
export interface FileKeys {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const TARGET_KEYS: FileKeys = {
  ca: 'tls.ca',
  certificate: 'tls.admin.certificate',
  key: 'tls.admin.key',
}

/** The checks of the files a target names; `now` is the time at which certificates must be valid. */
export function listFileChecks(
  target: Pick<Target, 'tls'>,
  now: Date,
  keys: FileKeys = TARGET_KEYS,
): readonly FileCheck[] {
  const { certificate, key } = target.tls.admin
  const ca: Named = { what: 'the CA file', key: keys.ca, file: target.tls.ca }
  const shown: Named = {
    what: "the administrator's certificate",
    key: keys.certificate,
    file: certificate,
  }
  const secret: Named = { what: "the administrator's key", key: keys.key, file: key }
  const lookAtCa = () => {
    const parsed = parseCertificate(ca)
    refuseOutOfDate(ca, parsed, now)
    return `valid to ${parsed.validTo}`
  }
  const lookAtCertificate = () => {
    const parsed = parseCertificate(shown)
    refuseOutOfDate(shown, parsed, now)
    return `valid to ${parsed.validTo}; ${describeUsage(shown, parsed)}`
  }
  const lookAtKey = () => {
    const parsed = parseKey(secret)
    if (parseCertificate(shown).checkPrivateKey(parsed)) return 'belongs to the certificate'
    throw fault('D-CERT-KEY', secret, `does not belong to the certificate ${certificate}`)
  }
  return [
    { what: 'CA certificate', look: lookAtCa, files: [ca.file] },
    { what: 'admin certificate', look: lookAtCertificate, files: [certificate] },
    { what: 'admin key', look: lookAtKey, files: [key, certificate] },
    ...issuerChecks(target, now),
  ]
}

/** The authority that the judge may issue from, when the target names one. */
function issuerChecks({ tls: { issuer } }: Pick<Target, 'tls'>, now: Date): readonly FileCheck[] {
  if (issuer === undefined) return []
  const shown: Named = {
    what: "the issuer's certificate",
    key: 'tls.issuer.certificate',
    file: issuer.certificate,
  }
  const secret: Named = { what: "the issuer's key", key: 'tls.issuer.key', file: issuer.key }
  const look = () => {
    const certificate = parseCertificate(shown)
    const key = parseKey(secret)
    refuseOutOfDate(shown, certificate, now)
    if (!certificate.ca) throw fault('D-CERT-EKU', shown, "is no authority's")
    if (!certificate.checkPrivateKey(key)) {
      throw fault('D-CERT-KEY', secret, `does not belong to the certificate ${issuer.certificate}`)
    }
    if (ISSUING_KEYS.has(key.asymmetricKeyType)) return `valid to ${certificate.validTo}`
    throw fault('D-CERT-KEY', secret, 'is neither RSA nor EC')
  }
  return [{ what: 'issuer', look, files: [issuer.certificate, issuer.key] }]
}

/** Checks, before anything is started, the files that the deployment will not write itself: those outside `${run}`. */
export function refuseBadFiles(target: Target, now: Date = new Date()): void {
  const isWritten = (file: string) => file.startsWith(target.run + sep)
  for (const { look, files } of listFileChecks(target, now)) {
    if (!files.some(isWritten)) look()
  }
}
