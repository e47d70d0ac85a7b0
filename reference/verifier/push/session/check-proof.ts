import { fromBase64 } from '../../../bytes/base64.ts'
import { checkPossession, type PossessionProof } from '../../../evidence/quote/possession.ts'
import type { OpenSession } from '../../../storage/open-session-store.ts'
import type { EnrolledKey } from '../../../storage/session-store.ts'
import type { VerifierParts } from '../../verifier-parts.ts'
import type { ProofCase } from './session-rules.ts'

/** The proof of possession that an agent sends. */
export type ProvidedProof = Pick<PossessionProof, 'challenge' | 'message' | 'signature'>

/** Stands in for an agent that is not enrolled: it decides nothing, it only takes as much work. */
const NOT_ENROLLED: Omit<EnrolledKey, 'enrolment' | 'ak_tpm'> = {
  accept_tpm_hash_algs: '["sha512","sha384","sha256"]',
  accept_tpm_encryption_algs: '["ecc","rsa"]',
  accept_tpm_signing_algs: '["rsassa","rsapss","ecdsa"]',
}

/**
 * Checks a proof of possession. The store queries and the checks are the same whether the agent is enrolled
 * or not, the challenge live or not: the result is decided only at the end.
 */
export async function checkProof(
  parts: VerifierParts,
  session: OpenSession,
  provided: ProvidedProof,
): Promise<ProofCase> {
  const enrolled = await parts.store.sessions.keyOf(session.agent_id)
  const { attestationKey, isEnrolled } = parts.standInKeys.keyFor(
    provided.signature,
    enrolled && fromBase64(enrolled.ak_tpm),
  )
  const { accept_tpm_hash_algs, accept_tpm_encryption_algs, accept_tpm_signing_algs } =
    enrolled ?? NOT_ENROLLED
  const findings = checkPossession(
    {
      ...provided,
      attestationKey,
      accepted: {
        hashes: JSON.parse(accept_tpm_hash_algs),
        keys: JSON.parse(accept_tpm_encryption_algs),
        schemes: JSON.parse(accept_tpm_signing_algs),
      },
    },
    parts.possessionChecks,
  )
  const enrolment = isEnrolled ? enrolled?.enrolment : undefined
  return { session, findings, enrolment, now: parts.clock.now() }
}
