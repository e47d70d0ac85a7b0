import { bytesOf } from '../soft/arithmetic.ts'
import type { Scalars } from '../soft/ecdsa.ts'
import { stretch } from '../soft/keys.ts'
import { cat, filled, u32le, u64 } from '../tpm/write.ts'

/** Security versions of boot loader, TEE, SNP and microcode. */
export type Versions = readonly [number, number, number, number]

/** Members of ATTESTATION_REPORT that evidence may differ in; all others are the same in every report. */
export interface ReportMembers {
  readonly version: number
  readonly policy: bigint
  readonly platformInfo: bigint
  readonly signatureAlgo: number
  /** The word with AUTHOR_KEY_EN, MASK_CHIP_KEY and SIGNING_KEY. */
  readonly keyInfo: number
  readonly reportData: Uint8Array
  readonly measurement: Uint8Array
  readonly hostData: Uint8Array
  readonly reportedTcb: Versions
  readonly chipId: Uint8Array
}

/** Size of R and of S. */
const NUMBER = 72
const SIGNATURE = 512

function u64le(value: bigint): Uint8Array {
  return u64(value).reverse()
}

/** TCB_VERSION of a processor of family 19h (AMD 56860, "TCB Version"). */
function tcbVersion([bootLoader, tee, snp, microcode]: Versions): Uint8Array {
  return Uint8Array.of(bootLoader, tee, 0, 0, 0, 0, snp, microcode)
}

/** The signed part of an ATTESTATION_REPORT, 672 bytes. */
export function writeReportBody(members: ReportMembers): Uint8Array {
  const tcb = tcbVersion(members.reportedTcb)
  const firmware = Uint8Array.of(21, 55, 1, 0)
  return cat(
    u32le(members.version),
    u32le(4), // GUEST_SVN
    u64le(members.policy),
    filled(32), // FAMILY_ID, IMAGE_ID
    u32le(0), // VMPL
    u32le(members.signatureAlgo),
    tcb, // CURRENT_TCB
    u64le(members.platformInfo),
    u32le(members.keyInfo),
    u32le(0),
    members.reportData,
    members.measurement,
    members.hostData,
    filled(96), // ID_KEY_DIGEST, AUTHOR_KEY_DIGEST
    stretch('REPORT_ID', 32),
    filled(32, 0xff), // REPORT_ID_MA: no migration agent
    tcb, // REPORTED_TCB
    // CPUID, which older versions do not have
    ...[members.version < 3 ? filled(3) : Uint8Array.of(0x19, 1, 1), filled(21)],
    members.chipId,
    tcb, // COMMITTED_TCB
    firmware, // CURRENT
    firmware, // COMMITTED
    tcb, // LAUNCH_TCB
    filled(168),
  )
}

/** SIGNATURE: R and S, little-endian. */
export function writeSignature({ r, s }: Scalars): Uint8Array {
  const number = (value: bigint) => bytesOf(value, NUMBER).reverse()
  return cat(number(r), number(s), filled(SIGNATURE - 2 * NUMBER))
}
