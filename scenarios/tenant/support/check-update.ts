import { isDeepStrictEqual } from 'node:util'
import type { Check } from '../../../conformance/attempt/check.ts'
import type { TenantStage } from '../../../conformance/peers/tenants.ts'
import { tenantKeys, tenantOperations } from './tenant-operations.ts'

const ID = 'TEN-MANAGES-AGENTS'
/** Members of an addition that the same words of a command give again. */
const LASTING = [
  ...['ak_tpm', 'mtls_cert', 'cloudagent_ip', 'cloudagent_port', 'ip', 'port'],
  ...['tpm_policy', 'runtime_policy_name', 'runtime_policy', 'supported_version'],
]

/** Checks that an agent that was added, and then updated by the same words, is added again as it was, with keys that fit. */
export function checkUpdate(check: Check, stage: TenantStage): void {
  const [first = {}, second = {}] = tenantOperations(stage).added
  check(ID, 'members with which an update adds the agent that differ from those of the addition')
    .of(LASTING.filter((name) => !isDeepStrictEqual(first[name], second[name])))
    .is([])
  check(ID, 'whether the U key of an update is sent, and fits its V key')
    .of(tenantKeys(stage, second).tagFits)
    .is(true)
}
