import { type Handler, parameter } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { ApiError, agentNotEnrolled } from '../../errors.ts'
import type { AgentRow } from '../../storage/database.ts'
import { attestationKeyAlgorithm } from '../attestation-key.ts'
import {
  type CapabilitiesRequest as Capabilities,
  CapabilitiesRequest,
} from '../attestation-shape.ts'
import { loadRuntimePolicy } from '../policies/load-runtime-policy.ts'
import { certifiedEntries, readCarried } from '../push/carried.ts'
import type { EvidenceItem } from '../push/evidence-item.ts'
import { attestationPath, presentAttestation } from '../push/present-attestation.ts'
import { requiredEvidence } from '../push/required-evidence.ts'
import { selectEvidence } from '../push/select-evidence.ts'
import { nextStage } from '../push/stages.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(CapabilitiesRequest, 'invalid_resource_data')
const CHALLENGE_BYTES = 16

/** POST /v3/agents/{agent_id}/attestations: capabilities in, challenge and chosen parameters out. */
export function createAttestation(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const { attributes } = parseRequest(call.body).data
    const agent = await parts.store.agents.find(agentId)
    if (agent === undefined) throw agentNotEnrolled(agentId)
    const { boot_time } = attributes.system_info
    const bootTime = boot_time === undefined ? undefined : checkBootTime(boot_time)
    const items = await chooseEvidence(parts, agent, attributes.evidence_supported, bootTime)
    const now = parts.clock.now()
    const row = await parts.store.attestations.append({
      agent_id: agentId,
      stage: nextStage(undefined, 'capabilities_accepted') ?? 'awaiting_evidence',
      evaluation: 'pending',
      failure_reason: null,
      findings: '[]',
      evidence: JSON.stringify(items),
      system_info: JSON.stringify({
        ...attributes.system_info,
        ...(bootTime && { boot_time: bootTime }),
      }),
      capabilities_received_at: now,
      challenges_expire_at: now + parts.config.challenge_lifetime * 1000,
      evidence_received_at: null,
      verification_completed_at: null,
    })
    return {
      status: 201,
      headers: { location: attestationPath(row) },
      body: { data: presentAttestation(row) },
    }
  }
}

async function chooseEvidence(
  parts: VerifierParts,
  agent: AgentRow,
  offers: Capabilities['data']['attributes']['evidence_supported'],
  bootTime: string | undefined,
): Promise<readonly EvidenceItem[]> {
  const required = requiredEvidence(agent, await loadRuntimePolicy(parts.store, agent))
  return selectEvidence({
    offers,
    required,
    wishes: {
      pcrs: required.pcrs,
      acceptedHashes: JSON.parse(agent.accept_tpm_hash_algs),
      acceptedSchemes: JSON.parse(agent.accept_tpm_signing_algs),
      keyAlgorithm: attestationKeyAlgorithm(fromBase64(agent.ak_tpm)),
      attestationKey: agent.ak_tpm,
    },
    certifiedEntries: certifiedEntries(readCarried(agent), bootTime),
    challenge: toBase64(parts.random.bytes(CHALLENGE_BYTES)),
  })
}

/** ISO 8601 with a zone; kept in UTC so that equal instants are equal texts. */
function checkBootTime(text: string): string {
  const instant = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (!Number.isNaN(instant)) return new Date(instant).toISOString()
  throw new ApiError(
    'invalid_resource_data',
    'system_info.boot_time: an ISO 8601 instant with a time zone is needed',
    {
      pointer: '/data/attributes/system_info/boot_time',
    },
  )
}
