import { prefixesOf } from '../../../api/versions.ts'
import { timestamp } from '../../../platform/clock.ts'
import type { AttestationRow } from '../../../storage/databases/database.ts'
import type { EvidenceItem } from '../selection/evidence-item.ts'

/** Interface document, "Attestation (verifier v3)": one attestation as a resource. */
export function presentAttestation(row: AttestationRow): Readonly<Record<string, unknown>> {
  return {
    type: 'attestation',
    id: String(row.index),
    attributes: {
      stage: row.stage,
      evaluation: row.evaluation,
      failure_reason: row.failure_reason,
      ...presentEvidence(row),
      system_info: JSON.parse(row.system_info),
      capabilities_received_at: timestamp(row.capabilities_received_at),
      challenges_expire_at: timestamp(row.challenges_expire_at),
      evidence_received_at: nullable(row.evidence_received_at),
      verification_completed_at: nullable(row.verification_completed_at),
    },
    links: { self: attestationPath(row) },
  }
}

/** Path of an attestation, always with its index (ambiguity SELFLINK). */
export function attestationPath(row: Pick<AttestationRow, 'agent_id' | 'index'>): string {
  const prefix = prefixesOf('3.0').at(-1)
  return `${prefix}/agents/${row.agent_id}/attestations/${row.index}`
}

/** `evidence_requested` while awaiting, `evidence` with its full data afterwards. */
function presentEvidence(row: AttestationRow): Readonly<Record<string, unknown>> {
  const items = JSON.parse(row.evidence) as readonly EvidenceItem[]
  if (row.stage !== 'awaiting_evidence') return { evidence: items }
  return {
    evidence_requested: items.map(({ evidence_class, evidence_type, chosen_parameters }) => ({
      evidence_class,
      evidence_type,
      chosen_parameters,
    })),
  }
}

function nullable(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timestamp(milliseconds)
}
