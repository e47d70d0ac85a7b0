import { type Handler, parameter } from '../../api/call.ts'
import { agentNotEnrolled } from '../../errors.ts'
import type { AttestationRow } from '../../storage/databases/database.ts'
import { loadAttestation } from '../push/attestation/load-attestation.ts'
import { presentAttestation } from '../push/attestation/present-attestation.ts'
import type { VerifierParts } from '../verifier-parts.ts'

/** GET /v3/agents/{agent_id}/attestations/{index} and …/latest */
export function readAttestation(parts: VerifierParts): Handler {
  return async (call) => {
    const row = await loadAttestation(
      parts.store,
      parameter(call, 'agent_id'),
      parameter(call, 'index'),
    )
    return { body: { data: presentAttestation(row) } }
  }
}

/**
 * GET /v3/agents/{agent_id}/attestations, oldest first (the order is not shown). A long history is read while it is
 * sent: it may be as large as `evidence_kept`.
 */
export function listAttestations(parts: VerifierParts): Handler {
  return async (call) => {
    const agentId = parameter(call, 'agent_id')
    if ((await parts.store.agents.find(agentId)) === undefined) throw agentNotEnrolled(agentId)
    return { elements: presented(parts.store.attestations.list(agentId)) }
  }
}

async function* presented(rows: AsyncIterable<AttestationRow>) {
  for await (const row of rows) yield presentAttestation(row)
}
