import { hash } from 'node:crypto'
import { bodyParser, within } from '../../api/bodies/parse-body.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { equalBytes } from '../../bytes/equal.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { concat } from '../../bytes/writer.ts'
import type { VerifierConfig } from '../../config/config.ts'
import { type Check, runChecks } from '../../evidence/check.ts'
import { type Finding, finding } from '../../evidence/findings.ts'
import { presentClaims } from '../../evidence/sev-snp/claims.ts'
import { type AttestationReport, parseReport } from '../../evidence/sev-snp/report.ts'
import { isSignerOf, type ReportCase } from '../../evidence/sev-snp/report-checks.ts'
import { readVcek } from '../../evidence/sev-snp/vcek.ts'
import { loadCertificateStore } from '../../pki/certificate-store.ts'
import { checkPath, pathChecks } from '../../pki/check-path.ts'
import { type PathCertificate, readPathCertificate } from '../../pki/path-certificate.ts'
import { acceptableNonces } from '../acceptable-nonces.ts'
import type { EvidenceVerdict } from '../evidence-request.ts'
import { readMember } from '../shapes/read-member.ts'
import { SnpEvidence, type TeeEvidence } from './tee-shape.ts'

/** What a verifier judges evidence of trusted execution environments by. */
export interface TeeRules {
  /** Roots and intermediate certificates of the makers of processors, and VCEK certificates. */
  readonly store: readonly PathCertificate[]
  readonly allowDebug: boolean
  readonly reportChecks: readonly Check<ReportCase>[]
}

/** Reads the store. @throws {StartFault} if a file of it cannot be read as certificates */
export function loadTeeSettings({
  tee_cert_store: places,
  tee_allow_debug: allowDebug,
}: Pick<VerifierConfig, 'tee_cert_store' | 'tee_allow_debug'>): Omit<TeeRules, 'reportChecks'> {
  const store = places === '' ? [] : loadCertificateStore('tee_cert_store', places)
  return { store, allowDebug }
}

const EVIDENCE = '/data/tee-evidence/evidence'
const SUPPORTED = ['snp']

const parseSnp = bodyParser(SnpEvidence, 'malformed_request')

/**
 * Evaluates evidence of a trusted execution environment at a time in milliseconds since 1970.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member that cannot be read
 */
export function evaluateTee(evidence: TeeEvidence, rules: TeeRules, now: number): EvidenceVerdict {
  const { tee, evidence: sent } = evidence['tee-evidence']
  if (!SUPPORTED.includes(tee)) return invalid(unsupported(tee))
  const members = within(EVIDENCE, () => parseSnp(sent))
  const { 'snp-vcek': vcek } = members
  const report = readMember(memberOf('snp-report'), () =>
    fromBase64(members['snp-report'], 'snp-report'),
  )
  const certificate = vcek === undefined ? undefined : readCertificate(vcek)
  return judge({ report, certificate, reportData: reportDataOf(evidence) }, rules, now)
}

function memberOf(name: keyof SnpEvidence): string {
  return `${EVIDENCE}/${name}`.slice(1)
}

function unsupported(tee: string): Finding {
  const problem = `tee is ${JSON.stringify(tee)}; supported is ${SUPPORTED.join(', ')}`
  return finding('tee_attestation.invalid.tee', problem, { supported: SUPPORTED })
}

function readCertificate(text: string): PathCertificate {
  return readMember(memberOf('snp-vcek'), () => {
    const bytes = fromBase64(text, 'snp-vcek')
    const read = attemptToRead(bytes)
    if (read === undefined || !equalBytes(read.read.der, bytes))
      throw new WireError('snp-vcek', 0, 'is not one certificate in DER')
    return read
  })
}

function attemptToRead(bytes: Uint8Array): PathCertificate | undefined {
  try {
    return readPathCertificate(bytes)
  } catch {
    return undefined
  }
}

/** SHA-512 of the coordinates of the guest's key and the nonce, for each reading of the nonce. */
function reportDataOf(evidence: TeeEvidence): readonly Uint8Array[] {
  const coordinates = (['tee-pubkey-x-b64', 'tee-pubkey-y-b64'] as const).map((name) =>
    Buffer.from(evidence[name], 'base64url'),
  )
  return acceptableNonces(evidence.nonce).map((nonce) =>
    hash('sha512', concat(...coordinates, nonce), 'buffer'),
  )
}

interface SnpCase {
  readonly report: Uint8Array
  readonly certificate: PathCertificate | undefined
  readonly reportData: readonly Uint8Array[]
}

function judge(subject: SnpCase, rules: TeeRules, now: number): EvidenceVerdict {
  const report = attemptToParse(subject.report)
  if (report instanceof WireError)
    return invalid(finding('tee_attestation.invalid_input', report.message))
  const certificate = subject.certificate ?? storedVcek(report, rules)
  if (certificate === undefined) return invalid(finding('tee_attestation.vcek_fetch', NO_VCEK))
  const { store, reportChecks, allowDebug } = rules
  const findings = runChecks(reportChecks, {
    ...{ report, vcek: readVcek(certificate.read), reportData: subject.reportData, allowDebug },
    untrusted: checkPath({ certificate, store, now, usage: undefined, checks: pathChecks }),
  })
  if (findings.length > 0) return invalid(...findings)
  return { valid: true, claims: presentClaims(report), failures: [] }
}

const NO_VCEK =
  'the certificate of the VCEK is neither in snp-vcek nor in tee_cert_store, for the chip and the versions of the report'

function attemptToParse(bytes: Uint8Array): AttestationReport | WireError {
  try {
    return parseReport(bytes)
  } catch (error) {
    if (error instanceof WireError) return error
    throw error
  }
}

function storedVcek(
  report: AttestationReport,
  { store }: Pick<TeeRules, 'store'>,
): PathCertificate | undefined {
  return store.find(({ read }) => isSignerOf(report, readVcek(read)))
}

function invalid(...findings: readonly Finding[]): EvidenceVerdict {
  const failures = findings.map(({ type, context }) => ({ type, context }))
  return { valid: false, claims: {}, failures }
}
