import { type Guest, USUAL_REPORT } from '../../../simulator/sev-snp/snp-evidence.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { cat } from '../../../simulator/tpm/write.ts'

const { hostData, measurement, reportedTcb } = USUAL_REPORT
const [bootloader, tee, snp, microcode] = reportedTcb

/** Claims that do not depend on the guest, by upstream's names. */
const CLAIMS: Readonly<Record<string, unknown>> = {
  measurement: [...measurement],
  host_data: [...hostData],
  platform_smt_enabled: true,
  platform_tsme_enabled: false,
  reported_tcb_bootloader: bootloader,
  reported_tcb_tee: tee,
  reported_tcb_snp: snp,
  reported_tcb_microcode: microcode,
  policy_abi_major: 1,
  policy_abi_minor: 51,
  policy_smt_allowed: true,
  policy_migrate_ma: false,
  policy_debug_allowed: false,
  policy_single_socket: false,
}

/** Claims of the report of the older version where they differ from those of the usual one. */
export const OLDER_CLAIMS: Readonly<Record<string, unknown>> = {
  platform_smt_enabled: false,
  platform_tsme_enabled: true,
  reported_tcb_bootloader: 127,
  reported_tcb_tee: 128,
  reported_tcb_snp: 0,
  reported_tcb_microcode: 255,
  policy_abi_minor: 52,
  policy_smt_allowed: false,
  policy_single_socket: true,
}

/** Cells of the matrix `tee`: one for each claim. */
export const claimCells: readonly string[] = ['report_data', ...Object.keys(CLAIMS)].map(
  (name) => `claim ${name}`,
)

/** The claims of the usual report of a guest: cell, name and value. */
export function claimsOf({ nonce, x, y }: Guest): readonly (readonly [string, string, unknown])[] {
  const all = { report_data: [...digest('sha512', cat(x, y, nonce))], ...CLAIMS }
  return Object.entries(all).map(([name, value]) => [`claim ${name}`, name, value] as const)
}
