import type { Handler } from '../api/call.ts'
import { underOlderNames } from '../api/older-names.ts'
import { probeVersion, readVersion } from '../api/read-version.ts'
import type { VerifierOperation } from '../api/routes/verifier.ts'
import { OLDER_AGENT_NAMES } from './older-agent-names.ts'
import { addAgent } from './operations/add-agent.ts'
import { deleteAgent, reactivateAgent, readAgent, stopAgent } from './operations/agents.ts'
import {
  createBootPolicy,
  deleteBootPolicy,
  listBootPolicies,
  readBootPolicy,
  replaceBootPolicy,
} from './operations/boot-policies.ts'
import { completeSession } from './operations/complete-session.ts'
import { createAttestation } from './operations/create-attestation.ts'
import { createSession } from './operations/create-session.ts'
import { listAttestations, readAttestation } from './operations/read-attestations.ts'
import {
  createRuntimePolicy,
  deleteRuntimePolicy,
  listRuntimePolicies,
  readRuntimePolicy,
  replaceRuntimePolicy,
} from './operations/runtime-policies.ts'
import { submitEvidence } from './operations/submit-evidence.ts'
import { verifyEvidence } from './operations/verify-evidence.ts'
import { verifyIdentity } from './operations/verify-identity.ts'
import type { VerifierParts } from './verifier-parts.ts'

/** The verifier's half of the route table: one handler per operation. */
export function verifierOperations(
  parts: VerifierParts,
): Readonly<Record<VerifierOperation, Handler>> {
  return {
    'read-version': readVersion(parts.config.api_versions),
    'probe-version': probeVersion,
    'add-agent': underOlderNames(OLDER_AGENT_NAMES, addAgent(parts)),
    'read-agent': readAgent(parts),
    'delete-agent': deleteAgent(parts),
    'reactivate-agent': reactivateAgent(parts),
    'stop-agent': stopAgent(parts),
    'create-runtime-policy': createRuntimePolicy(parts),
    'read-runtime-policy': readRuntimePolicy(parts),
    'list-runtime-policies': listRuntimePolicies(parts),
    'replace-runtime-policy': replaceRuntimePolicy(parts),
    'delete-runtime-policy': deleteRuntimePolicy(parts),
    'list-boot-policies': listBootPolicies(parts),
    'read-boot-policy': readBootPolicy(parts),
    'create-boot-policy': createBootPolicy(parts),
    'replace-boot-policy': replaceBootPolicy(parts),
    'delete-boot-policy': deleteBootPolicy(parts),
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
