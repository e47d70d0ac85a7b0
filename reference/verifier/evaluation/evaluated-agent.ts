import type { AgentRow } from '../../storage/databases/database.ts'
import type { EvaluatedAgent } from './task.ts'

/** The columns of an agent record that the evaluation needs; the V key and the rest stay in this thread. */
export function evaluatedAgent(agent: AgentRow): EvaluatedAgent {
  return {
    ak_tpm: agent.ak_tpm,
    tpm_policy: agent.tpm_policy,
    accept_tpm_hash_algs: agent.accept_tpm_hash_algs,
    accept_tpm_encryption_algs: agent.accept_tpm_encryption_algs,
    accept_tpm_signing_algs: agent.accept_tpm_signing_algs,
    ima_sign_verification_keys: agent.ima_sign_verification_keys,
  }
}
