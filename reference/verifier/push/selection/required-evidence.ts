import { parseTpmPolicy } from '../../../evidence/quote/tpm-policy.ts'
import { BOOT_PCRS } from '../../../evidence/uefi/boot-pcrs.ts'
import type { AgentRow, RuntimePolicyRow } from '../../../storage/databases/database.ts'
import type { PolicyReference } from '../../evaluation/task.ts'

/** The evidence that the policies of an agent need. */
export interface RequiredEvidence {
  readonly pcrs: readonly number[]
  readonly imaLog: boolean
  readonly uefiLog: boolean
}

export const IMA_PCR = 10

/** PCRs of `tpm_policy`, the boot PCRs when there is a boot policy, PCR 10 when there is a runtime policy. */
export function requiredEvidence(
  agent: Pick<AgentRow, 'tpm_policy'>,
  runtimePolicy: RuntimePolicyRow | PolicyReference | undefined,
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
