import { type AttestationReport, littleEndian } from './report.ts'
import { reportedTcb } from './tcb.ts'

/** Bits of POLICY (AMD 56860, "Guest Policy") and of PLATFORM_INFO. */
const POLICY = { SMT: 16, MIGRATE_MA: 18, DEBUG: 19, SINGLE_SOCKET: 20 } as const
const PLATFORM_INFO = { SMT_EN: 0, TSME_EN: 1 } as const

function isSet(bytes: Uint8Array, bit: number): boolean {
  return ((littleEndian(bytes) >> BigInt(bit)) & 1n) === 1n
}

/** Whether the guest may be debugged, and so read and changed, by its host. */
export function mayBeDebugged({ POLICY: policy }: AttestationReport): boolean {
  return isSet(policy, POLICY.DEBUG)
}

/** The claims of a report, by the names that upstream shows; byte strings are lists of numbers. */
export function presentClaims(report: AttestationReport): Readonly<Record<string, unknown>> {
  const { POLICY: policy, PLATFORM_INFO: platform } = report
  const tcb = [...(reportedTcb(report) ?? [])].map(([part, at]) => [`reported_tcb_${part}`, at])
  return {
    measurement: [...report.MEASUREMENT],
    report_data: [...report.REPORT_DATA],
    host_data: [...report.HOST_DATA],
    platform_smt_enabled: isSet(platform, PLATFORM_INFO.SMT_EN),
    platform_tsme_enabled: isSet(platform, PLATFORM_INFO.TSME_EN),
    ...Object.fromEntries(tcb),
    policy_abi_major: policy[1],
    policy_abi_minor: policy[0],
    policy_smt_allowed: isSet(policy, POLICY.SMT),
    policy_migrate_ma: isSet(policy, POLICY.MIGRATE_MA),
    policy_debug_allowed: isSet(policy, POLICY.DEBUG),
    policy_single_socket: isSet(policy, POLICY.SINGLE_SOCKET),
  }
}
