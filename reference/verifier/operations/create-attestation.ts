import { bodyParser } from '../../api/bodies/parse-body.ts'
import { type Handler, parameter } from '../../api/call.ts'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { ApiError, agentNotEnrolled } from '../../errors.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { attestationKeyAlgorithm } from '../attestation-key.ts'
import { loadBootPolicy } from '../policies/load-boot-policy.ts'
import { referToPolicy, withStoredPcrs } from '../policies/refer-to-policy.ts'
import { takeFromAgent } from '../push/attestation/move-acceptance.ts'
import { checkPace } from '../push/attestation/pace-rules.ts'
import { attestationPath, presentAttestation } from '../push/attestation/present-attestation.ts'
import { readmitRegistered } from '../push/attestation/readmit-registered.ts'
import { requireMove } from '../push/attestation/stages.ts'
import { instantOf } from '../push/boot-time.ts'
import { certifiedOfBoot, readCarried } from '../push/carried.ts'
import type { EvidenceItem } from '../push/selection/evidence-item.ts'
import { parseOffers } from '../push/selection/parse-offers.ts'
import { requiredEvidence } from '../push/selection/required-evidence.ts'
import { selectEvidence } from '../push/selection/select-evidence.ts'
import { CapabilitiesRequest, type EvidenceOffer } from '../shapes/attestation-shape.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseRequest = bodyParser(CapabilitiesRequest, 'invalid_resource_data')

/** POST /v3/agents/{agent_id}/attestations: capabilities in, challenge and chosen parameters out. */
export function createAttestation(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    const { attributes } = parseRequest(call.body).data
    const found = await parts.store.agents.find(agentId)
    if (found === undefined) throw agentNotEnrolled(agentId)
    const agent = await readmitRegistered(parts, found)
    await takeFromAgent(parts, 'capabilities_received', agent)
    const now = parts.clock.now()
    const latest = await parts.store.attestations.progress(agentId)
    checkPace(parts.attestationRules.paceRules, latest, { pace: parts.config, now })
    const { boot_time } = attributes.system_info
    const bootTime = boot_time === undefined ? undefined : parseBootTime(boot_time)
    const offers = parseOffers(attributes.evidence_supported)
    const items = await chooseEvidence(parts, agent, offers, bootTime)
    const begun = {
      agent_id: agentId,
      enrolment: agent.enrolment,
      ...requireMove(undefined, 'capabilities_accepted'),
      failure_reason: null,
      findings: '[]',
      evidence: JSON.stringify(items),
      carried: agent.carried,
      system_info: JSON.stringify(attributes.system_info),
      capabilities_received_at: now,
      challenges_expire_at: now + parts.config.challenge_lifetime * 1000,
      evidence_received_at: null,
      verification_completed_at: null,
    }
    const row = await parts.store.attestations.append(begun, parts.config.evidence_kept)
    if (row === undefined) throw agentNotEnrolled(agentId)
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
  offers: readonly EvidenceOffer[],
  bootTime: string | undefined,
): Promise<readonly EvidenceItem[]> {
  const policy = await referToPolicy(parts.store, agent)
  const required = requiredEvidence(
    withStoredPcrs(agent, policy),
    policy,
    await loadBootPolicy(parts.store, agent),
  )
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
    certified: certifiedOfBoot(readCarried(agent), bootTime, policy?.digest),
    challenge: toBase64(parts.attestationRules.makeChallenge(parts.random)),
    rules: parts.attestationRules.quoteRules,
  })
}

/** @throws {ApiError} for a text that is no instant of ISO 8601 */
function parseBootTime(text: string): string {
  const instant = instantOf(text)
  if (instant !== undefined) return instant
  throw new ApiError(
    'invalid_resource_data',
    'system_info.boot_time: an ISO 8601 date with a time is needed',
    {
      pointer: '/data/attributes/system_info/boot_time',
    },
  )
}
