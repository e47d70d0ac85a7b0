import { PUSH_AGENT_PARTS, type PushAgentParts } from '../agent/push/push-agent-parts.ts'
import { TENANT_PARTS, type TenantParts } from '../tenant/tenant-parts.ts'
import { AGENT_PARTS, type ComposedAgentParts } from './compose-agent.ts'
import { type ComposedRegistrarParts, REGISTRAR_PARTS } from './compose-registrar.ts'
import { type ComposedTenantWebParts, TENANT_WEB_PARTS } from './compose-tenant-web.ts'
import { type ComposedVerifierParts, VERIFIER_PARTS } from './compose-verifier.ts'

/** Everything that a mutant may replace, in any component. A shipped component only has its own parts. */
export interface Parts
  extends ComposedVerifierParts,
    ComposedRegistrarParts,
    ComposedAgentParts,
    ComposedTenantWebParts {
  readonly tenant: TenantParts
  readonly pushAgent: PushAgentParts
}

export const SHIPPED_PARTS: Parts = {
  ...VERIFIER_PARTS,
  ...REGISTRAR_PARTS,
  ...AGENT_PARTS,
  ...TENANT_WEB_PARTS,
  tenant: TENANT_PARTS,
  pushAgent: PUSH_AGENT_PARTS,
}
