import { parseTpmPolicy } from '../../evidence/tpm-policy.ts'
import type { AgentRow, RuntimePolicyRow } from '../../storage/database.ts'

/** What the policies of an agent need to see. */
export interface RequiredEvidence {
  readonly pcrs: readonly number[]
  readonly imaLog: boolean
  readonly uefiLog: boolean
}

/** PCRs that a boot log extends; 10 is IMA's and 16 the debug register. */
export const BOOT_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
export const IMA_PCR = 10

/** PCRs of `tpm_policy`, the boot PCRs when there is a boot policy, PCR 10 when there is a runtime policy. */
export function requiredEvidence(
  agent: Pick<AgentRow, 'tpm_policy'>,
  runtimePolicy: RuntimePolicyRow | undefined,
  bootPolicy: string | null,
): RequiredEvidence {
  const policy = parseTpmPolicy(agent.tpm_policy)
  const imaLog = runtimePolicy !== undefined
  const uefiLog = bootPolicy !== null
  const pcrs = new Set([
    ...policy.allowed.keys(),
    ...policy.mask,
    ...(uefiLog ? BOOT_PCRS : []),
    ...(imaLog ? [IMA_PCR] : []),
  ])
  return { pcrs: [...pcrs].sort((a, b) => a - b), imaLog, uefiLog }
}
