import type { Handler } from '../api/call.ts'
import { underOlderNames } from '../api/older-names.ts'
import { probeVersion, readVersion } from '../api/read-version.ts'
import type { VerifierOperation } from '../api/routes/verifier.ts'
import { addAgent } from './operations/add-agent.ts'
import { deleteAgent, reactivateAgent, readAgent, stopAgent } from './operations/agents.ts'
import { completeSession } from './operations/complete-session.ts'
import { createAttestation } from './operations/create-attestation.ts'
import { createSession } from './operations/create-session.ts'
import { verifyEvidence } from './operations/evidence/verify-evidence.ts'
import { verifyIdentity } from './operations/evidence/verify-identity.ts'
import { listAgents } from './operations/list-agents.ts'
import { bootPolicyOperations } from './operations/policies/boot-policies.ts'
import { runtimePolicyOperations } from './operations/policies/runtime-policies.ts'
import { listAttestations, readAttestation } from './operations/read-attestations.ts'
import { submitEvidence } from './operations/submit-evidence.ts'
import { OLDER_AGENT_NAMES } from './shapes/older-agent-names.ts'
import type { VerifierParts } from './verifier-parts.ts'

/** The verifier's half of the route table: one handler per operation. */
export function verifierOperations(
  parts: VerifierParts,
): Readonly<Record<VerifierOperation, Handler>> {
  const runtimePolicies = runtimePolicyOperations(parts)
  const bootPolicies = bootPolicyOperations(parts)
  return {
    'read-version': readVersion(parts.config.api_versions),
    'probe-version': probeVersion,
    'add-agent': underOlderNames(OLDER_AGENT_NAMES, addAgent(parts)),
    'list-agents': listAgents(parts),
    'read-agent': readAgent(parts),
    'delete-agent': deleteAgent(parts),
    'reactivate-agent': reactivateAgent(parts),
    'stop-agent': stopAgent(parts),
    'create-runtime-policy': runtimePolicies.create,
    'read-runtime-policy': runtimePolicies.read,
    'list-runtime-policies': runtimePolicies.list,
    'replace-runtime-policy': runtimePolicies.replace,
    'delete-runtime-policy': runtimePolicies.remove,
    'list-boot-policies': bootPolicies.list,
    'read-boot-policy': bootPolicies.read,
    'create-boot-policy': bootPolicies.create,
    'replace-boot-policy': bootPolicies.replace,
    'delete-boot-policy': bootPolicies.remove,
    'verify-identity': verifyIdentity(parts),
    'verify-evidence': verifyEvidence(parts),
    'create-session': createSession(parts),
    'complete-session': completeSession(parts),
    'create-attestation': createAttestation(parts),
    'submit-evidence': submitEvidence(parts),
    'list-attestations': listAttestations(parts),
    'read-attestation': readAttestation(parts),
  }
}
