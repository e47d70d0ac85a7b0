import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { codeOf, SetupFault } from '../input/fault.ts'
import type { FaultCode } from '../input/fault-codes.ts'
import type { Target } from './target.ts'

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
/** Key types that can sign client certificates. */
const ISSUING_KEYS: ReadonlySet<string | undefined> = new Set(['rsa', 'ec'])
const WHY_UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'cannot be read: permission denied'],
  ['EISDIR', 'is a directory'],
])

/**
 * A check of one file of the target: its name and its result; throws a {@link SetupFault} if the file is unusable.
 */
export interface FileCheck {
  readonly what: string
  readonly run: () => string
  /** The files it reads. */
  readonly files: readonly string[]
}

interface Named {
  /** The subject of a sentence, e.g. `the administrator's key`. */
  readonly what: string
  /** Its key in the target file. */
  readonly key: string
  readonly file: string
}

function fault(
  code: FaultCode,
  { what, key, file }: Named,
  problem: string,
  cause?: unknown,
): SetupFault {
  const next = `correct ${key}, or the file`
  return new SetupFault(`${what} ${file} ${problem}`, { code, next, cause })
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

/**
 * The allowed extended key usages. A certificate without the extension is accepted with a warning, since the document
 * asks for clientAuth.
 */
function describeUsage(named: Named, certificate: X509Certificate): string {
  // Absent on Node 20 for a certificate without the extension, although the type does not allow that.
  const usage: readonly string[] | undefined = certificate.keyUsage
  if (usage === undefined)
    return 'warning: it has no extended key usage, the interface asks for clientAuth'
  if (usage.includes(CLIENT_AUTH)) return 'extended key usage clientAuth'
  throw fault('D-CERT-EKU', named, 'lacks clientAuth in its extended key usage')
}

/** The keys of the files in the target file, for messages. */
interface FileKeys {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const TARGET_KEYS: FileKeys = {
  ca: 'tls.ca',
  certificate: 'tls.admin.certificate',
  key: 'tls.admin.key',
}

/** The checks of the files that a target names; certificates must be valid at `now`. */
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
  const checkCa = () => {
    const parsed = parseCertificate(ca)
    refuseOutOfDate(ca, parsed, now)
    return `valid to ${parsed.validTo}`
  }
  const checkCertificate = () => {
    const parsed = parseCertificate(shown)
    refuseOutOfDate(shown, parsed, now)
    return `valid to ${parsed.validTo}; ${describeUsage(shown, parsed)}`
  }
  const checkKey = () => {
    const parsed = parseKey(secret)
    if (parseCertificate(shown).checkPrivateKey(parsed)) return 'belongs to the certificate'
    throw fault('D-CERT-KEY', secret, `does not belong to the certificate ${certificate}`)
  }
  return [
    { what: 'CA certificate', run: checkCa, files: [ca.file] },
    { what: 'admin certificate', run: checkCertificate, files: [certificate] },
    { what: 'admin key', run: checkKey, files: [key, certificate] },
    ...issuerChecks(target, now),
  ]
}

/** The check of the authority that the harness issues from, if the target names one. */
function issuerChecks({ tls: { issuer } }: Pick<Target, 'tls'>, now: Date): readonly FileCheck[] {
  if (issuer === undefined) return []
  const shown: Named = {
    what: "the issuer's certificate",
    key: 'tls.issuer.certificate',
    file: issuer.certificate,
  }
  const secret: Named = { what: "the issuer's key", key: 'tls.issuer.key', file: issuer.key }
  const run = () => {
    const certificate = parseCertificate(shown)
    const key = parseKey(secret)
    refuseOutOfDate(shown, certificate, now)
    if (!certificate.ca) throw fault('D-CERT-EKU', shown, 'is not a CA certificate')
    if (!certificate.checkPrivateKey(key)) {
      throw fault('D-CERT-KEY', secret, `does not belong to the certificate ${issuer.certificate}`)
    }
    if (ISSUING_KEYS.has(key.asymmetricKeyType)) return `valid to ${certificate.validTo}`
    throw fault('D-CERT-KEY', secret, 'is neither RSA nor EC')
  }
  return [{ what: 'issuer', run, files: [issuer.certificate, issuer.key] }]
}

/** Checks, before any start, the files that the deployment does not write itself: those outside `${run}`. */
export function refuseBadFiles(target: Target, now: Date = new Date()): void {
  const isWritten = (file: string) => file.startsWith(target.run + sep)
  for (const { run, files } of listFileChecks(target, now)) {
    if (!files.some(isWritten)) run()
  }
}
