import { verify } from 'node:crypto'
import { equalBytes } from '../../bytes/equal.ts'
import type { Check } from '../check.ts'
import { type FailureKind, type Finding, finding } from '../findings.ts'
import { mayBeDebugged } from './claims.ts'
import { type AttestationReport, littleEndian } from './report.ts'
import { reportedTcb } from './tcb.ts'
import type { Vcek } from './vcek.ts'

/** A report, the key that should have signed it, and what is expected of it. */
export interface ReportCase {
  readonly report: AttestationReport
  readonly vcek: Vcek
  /** What keeps the certificate of the VCEK from being trusted; it completes the sentence "the certificate …". */
  readonly untrusted: string | undefined
  /** REPORT_DATA: one of these. */
  readonly reportData: readonly Uint8Array[]
  readonly allowDebug: boolean
}

type Kind = FailureKind & `tee_attestation.${string}`

const ECDSA_P384_SHA384 = 1n
/** SIGNING_KEY, and MASK_CHIP_KEY, by which a report has no signature. */
const SIGNING_KEY = 0b11100
const MASK_CHIP_KEY = 0b00010
const VLEK = 1

/** `kind` if there is a problem. */
function found(kind: Kind, problem: string | false | undefined): Finding | undefined {
  return problem ? finding(kind, problem) : undefined
}

function signerProblem({ KEY_INFO: [info = 0] }: AttestationReport): string | undefined {
  if (info & MASK_CHIP_KEY) return 'MASK_CHIP_KEY is set: the report has no signature'
  const key = (info & SIGNING_KEY) >> 2
  if (key === 0) return undefined
  const name = key === VLEK ? 'the VLEK' : `key ${key}`
  return `SIGNING_KEY says that ${name} signed the report; reports by a VCEK are supported`
}

function isSigned({ report, vcek: { key } }: ReportCase): boolean {
  if (key === undefined) return false
  return verify('sha384', report.signed, { key, dsaEncoding: 'ieee-p1363' }, report.signature)
}

/** hwID of some processors is shorter than CHIP_ID, which ends in zeros then. */
function isOfChip({ CHIP_ID }: AttestationReport, { chipId }: Vcek): boolean {
  if (chipId === undefined || chipId.length === 0) return false
  const rest = CHIP_ID.subarray(chipId.length)
  return equalBytes(CHIP_ID.subarray(0, chipId.length), chipId) && rest.every((byte) => byte === 0)
}

function tcbProblem(report: AttestationReport, vcek: Vcek): string | undefined {
  const reported = reportedTcb(report)
  if (reported === undefined) return 'REPORTED_TCB has reserved bytes that are not zero'
  const other = [...reported].find(([part, version]) => vcek.tcb.get(part) !== version)
  if (other === undefined) return undefined
  const [part, version] = other
  return `REPORTED_TCB has ${part} ${version}, and the VCEK is of ${vcek.tcb.get(part) ?? 'none'}`
}

/** Whether a VCEK is of the chip and of the security versions of a report. */
export function isSignerOf(report: AttestationReport, vcek: Vcek): boolean {
  return isOfChip(report, vcek) && tcbProblem(report, vcek) === undefined
}

/** Checks of a report, in the order of their findings. */
export const reportChecks: readonly Check<ReportCase>[] = [
  {
    id: 'snp.signer',
    why: 'a report by another key says nothing about a chip',
    run: ({ report }) => found('tee_attestation.invalid_input', signerProblem(report)),
  },
  {
    id: 'snp.algorithm',
    why: 'the signature means another thing under another algorithm',
    run: ({ report: { SIGNATURE_ALGO } }) =>
      found(
        'tee_attestation.invalid_input',
        littleEndian(SIGNATURE_ALGO) !== ECDSA_P384_SHA384 &&
          `SIGNATURE_ALGO is ${littleEndian(SIGNATURE_ALGO)}; 1, ECDSA on P-384 with SHA-384, is supported`,
      ),
  },
  {
    id: 'snp.vcek-key',
    why: 'AMD certifies no other kind of key for reports',
    run: ({ vcek }) =>
      found(
        'tee_attestation.invalid_public_key',
        vcek.key === undefined && 'the key of the VCEK certificate is not on P-384',
      ),
  },
  {
    id: 'snp.vcek-path',
    why: 'anybody can make a certificate that names a chip',
    run: ({ untrusted }) =>
      found(
        'tee_attestation.untrusted_vcek',
        untrusted && `the certificate of the VCEK ${untrusted}`,
      ),
  },
  {
    id: 'snp.signature',
    why: 'anybody can write a report',
    run: (subject) =>
      found(
        'tee_attestation.invalid_signature',
        !isSigned(subject) && 'the signature of the report does not verify under the VCEK',
      ),
  },
  {
    id: 'snp.report-data',
    why: 'a report of another time, or of another guest, could be shown again',
    run: ({ report: { REPORT_DATA }, reportData }) =>
      found(
        'tee_attestation.freshness_hash_failed',
        !reportData.some((expected) => equalBytes(expected, REPORT_DATA)) &&
          'REPORT_DATA is not the SHA-512 of the public key and the nonce',
      ),
  },
  {
    id: 'snp.chip-id',
    why: 'a report would count for another chip than the one that made it',
    run: ({ report, vcek }) =>
      found(
        'tee_attestation.invalid_chip_id',
        !isOfChip(report, vcek) && 'CHIP_ID is not the hwID of the VCEK',
      ),
  },
  {
    id: 'snp.tcb',
    why: 'old firmware with known holes could claim a newer version',
    run: ({ report, vcek }) => found('tee_attestation.invalid_tcb', tcbProblem(report, vcek)),
  },
  {
    id: 'snp.debug',
    why: 'the host reads and changes the memory of a guest that may be debugged',
    run: ({ report, allowDebug }) =>
      found(
        'tee_attestation.policy_debug',
        !allowDebug && mayBeDebugged(report) && 'POLICY allows the host to debug the guest',
      ),
  },
]
