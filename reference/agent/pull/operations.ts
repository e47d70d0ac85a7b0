import type { Handler } from '../../api/call.ts'
import type { AgentOperation } from '../../api/routes/agent.ts'
import type { PullAgentParts } from './agent-parts.ts'
import { readInfo, readPublicKey, readVersions } from './operations/info.ts'
import { takeUKey, takeVKey, verifyKey } from './operations/keys.ts'
import { quoteIdentity, quoteIntegrity } from './operations/quotes.ts'
import { takeRevocation } from './operations/revocation.ts'

/** One handler for each operation of the route table. */
export function agentOperations(parts: PullAgentParts): Readonly<Record<AgentOperation, Handler>> {
  return {
    'read-versions': readVersions(parts),
    'read-info': readInfo(parts),
    'read-public-key': readPublicKey(parts),
    'take-v-key': takeVKey(parts),
    'take-u-key': takeUKey(parts),
    'verify-key': verifyKey(parts),
    'quote-identity': quoteIdentity(parts),
    'quote-integrity': quoteIntegrity(parts),
    'take-revocation': takeRevocation(parts),
  }
}
