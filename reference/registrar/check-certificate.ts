import type { X509Certificate } from 'node:crypto'
import { WireError } from '../bytes/wire-error.ts'
import type { EkCheck } from '../evidence/ek-certificate/ek-checks.ts'
import { derProblem } from '../evidence/ek-certificate/strict-der.ts'
import { presentWorkaround, TOLERATED } from '../evidence/ek-certificate/workarounds.ts'
import type { checkPath, PathCheck } from '../pki/check-path.ts'
import { type PathCertificate, pathCertificateOf } from '../pki/path-certificate.ts'
import type { Clock } from '../platform/clock.ts'
import { refuse } from './refuse.ts'

/** Certificates that a registration needs; upstream's setting `tpm_identity`, and its values. */
type TpmIdentityMode = 'default' | 'ek_cert_or_iak_idevid' | 'ek_cert' | 'iak_idevid'

/** Requirements of this registrar for certificates. */
export interface CertificateSettings {
  /** Makers of TPMs; undefined if the issuer of an EK certificate is not checked. */
  readonly store: readonly PathCertificate[] | undefined
  readonly requireEkCertificate: boolean
  /** How to treat a certificate that is not strict DER. If accepted, it is stored unchanged. */
  readonly malformed: 'warn' | 'ignore' | 'reject'
  readonly identity: TpmIdentityMode
}

/** How the certification path of a certificate is checked. */
export interface PathRules {
  readonly checkPath: typeof checkPath
  readonly pathChecks: readonly PathCheck[]
}

/** Dependencies of the certificate checks. */
export interface CertificateParts {
  readonly certificates: CertificateSettings
  readonly rules: PathRules
  readonly clock: Clock
  /** Logs for the operator of the registrar. */
  readonly warn: (sentence: string) => void
}

/** tcg-kp-EKCertificate (TCG EK Credential Profile, 3.2.16). */
export const EK_CERTIFICATE = '2.23.133.8.1'

interface CertificateCase {
  readonly certificate: X509Certificate
  /** The member of the registration that it came in. */
  readonly member: string
  /** OID that its extended key usage must hold, where it has one. */
  readonly usage: string | undefined
  /** Checks of the certificate alone. */
  readonly asked: readonly EkCheck[]
}

/** Checks the encoding of a certificate, and its path if the registrar has a store; a refusal names the member. */
export function checkCertificate(subject: CertificateCase, parts: CertificateParts): void {
  checkEncoding(subject, parts)
  const { store } = parts.certificates
  if (store === undefined) return
  const certificate = readPath(subject)
  warnOfWorkarounds(subject, certificate, parts)
  const problem =
    subject.asked.map((check) => check.problem(certificate.read)).find(Boolean) ??
    parts.rules.checkPath({
      certificate,
      store,
      now: parts.clock.now(),
      usage: subject.usage,
      checks: parts.rules.pathChecks,
    })
  if (problem !== undefined) throw refuse(subject.member, problem)
}

/** Deviations from strict DER were reported before. */
function warnOfWorkarounds(
  { member }: CertificateCase,
  { read }: PathCertificate,
  { certificates, warn }: CertificateParts,
): void {
  const reported = new Set(TOLERATED.values())
  const others = read.workarounds.filter(({ id }) => !reported.has(id)).map(presentWorkaround)
  if (others.length > 0 && certificates.malformed === 'warn')
    warn(`a registration has a certificate with ${others.join(', ')} under ${member}`)
}

function checkEncoding({ certificate, member }: CertificateCase, parts: CertificateParts): void {
  const { malformed } = parts.certificates
  const problem = malformed === 'ignore' ? undefined : derProblem(certificate.raw)
  if (problem === undefined) return
  if (malformed === 'reject') throw refuse(member, `is not strict DER: ${problem}`)
  parts.warn(`a registration has a certificate that is not strict DER under ${member}: ${problem}`)
}

/** Parses a certificate with our parser too, for path validation. */
function readPath({ certificate, member }: CertificateCase): PathCertificate {
  try {
    return pathCertificateOf(certificate)
  } catch (cause) {
    const why = cause instanceof WireError ? `: ${cause.message}` : ''
    throw refuse(member, `cannot be read as far as its makers are concerned${why}`, cause)
  }
}

/** Which certificates have come. */
interface Presence {
  readonly ekcert: boolean
  readonly iak: boolean
  readonly idevid: boolean
}

const WANTED: Readonly<Record<TpmIdentityMode, (presence: Presence) => string | undefined>> = {
  default: () => undefined,
  ek_cert: ({ ekcert }) => (ekcert ? undefined : 'ekcert'),
  iak_idevid: ({ iak, idevid }) => (iak ? (idevid ? undefined : 'idevid_cert') : 'iak_cert'),
  ek_cert_or_iak_idevid: ({ ekcert, iak, idevid }) =>
    ekcert || (iak && idevid) ? undefined : 'ekcert',
}

/** Refuses a registration without the certificates that the settings ask for. */
export function checkPresence(
  presence: Presence,
  { identity, requireEkCertificate }: CertificateSettings,
): void {
  const missing =
    WANTED[identity](presence) ?? (requireEkCertificate ? WANTED.ek_cert(presence) : undefined)
  if (missing !== undefined) throw refuse(missing, 'is needed to register here')
}
