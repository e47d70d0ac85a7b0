import { type ApiVersion, isWithin } from '../../api/versions.ts'
import { parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import type { AgentRow } from '../../storage/databases/database.ts'

/** The last version with `vmask` (interface document, "Changelog"). */
export const VMASK_UNTIL: ApiVersion = '2.0'

/** Whether an agent is asked for deep quotes: its virtual TPM has a policy, and the version has `vmask`. */
export function quotesDeeply(
  { vtpm_policy }: Pick<AgentRow, 'vtpm_policy'>,
  version: ApiVersion,
): boolean {
  if (!isWithin(version, { until: VMASK_UNTIL })) return false
  const { allowed, mask } = parseTpmPolicy(vtpm_policy, 'vtpm_policy')
  return allowed.size > 0 || mask.length > 0
}
