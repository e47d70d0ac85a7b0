import { agentNotEnrolled, attestationNotFound } from '../../../errors.ts'
import type { AttestationRow } from '../../../storage/databases/database.ts'
import type { VerifierStore } from '../../../storage/verifier-store.ts'

/** The attestation that a path names: `latest` or a decimal index. */
export async function loadAttestation(
  store: VerifierStore,
  agentId: string,
  index: string,
): Promise<AttestationRow> {
  const row =
    index === 'latest'
      ? await store.attestations.latest(agentId)
      : await findByIndex(store, agentId, index)
  if (row !== undefined) return row
  if ((await store.agents.find(agentId)) === undefined) throw agentNotEnrolled(agentId)
  throw attestationNotFound(agentId)
}

async function findByIndex(
  store: VerifierStore,
  agentId: string,
  index: string,
): Promise<AttestationRow | undefined> {
  return /^(0|[1-9]\d{0,8})$/.test(index)
    ? store.attestations.find(agentId, Number(index))
    : undefined
}
