import type { VerifierConfig } from '../config.ts'
import type { AgentRow } from '../storage/database.ts'

/** Without an attestation for this many quote intervals a push agent is locked out (interface document, "Push-mode acceptance flag"). */
const LOCKOUT_INTERVALS = 5

/** Interface document, "Verifier agent status", with the three members added in API 2.5. */
export function presentAgent(
  agent: AgentRow,
  config: VerifierConfig,
): Readonly<Record<string, unknown>> {
  return {
    operational_state: agent.operational_state,
    v: agent.v,
    ip: agent.ip,
    port: agent.port,
    tpm_policy: agent.tpm_policy,
    vtpm_policy: '{}',
    meta_data: agent.meta_data,
    has_mb_refstate: agent.mb_refstate === null ? 0 : 1,
    has_runtime_policy: agent.runtime_policy_name === null ? 0 : 1,
    accept_tpm_hash_algs: JSON.parse(agent.accept_tpm_hash_algs),
    accept_tpm_encryption_algs: JSON.parse(agent.accept_tpm_encryption_algs),
    accept_tpm_signing_algs: JSON.parse(agent.accept_tpm_signing_algs),
    hash_alg: agent.hash_alg,
    enc_alg: agent.enc_alg,
    sign_alg: agent.sign_alg,
    verifier_id: config.verifier_id,
    verifier_ip: config.ip,
    verifier_port: config.port,
    severity_level: null,
    last_event_id: null,
    attestation_count: agent.attestation_count,
    last_received_quote: agent.last_received_quote,
    last_successful_attestation: agent.last_successful_attestation,
    attestation_status: attestationStatus(agent),
    attestation_period: `${config.quote_interval}s`,
    maximum_attestation_interval: `${config.quote_interval * LOCKOUT_INTERVALS}s`,
  }
}

/** A failure is not forgotten by a later pass: an administrator has to look first. */
function attestationStatus(agent: AgentRow): 'PASS' | 'FAIL' | 'PENDING' {
  if (agent.failures > 0) return 'FAIL'
  return agent.attestation_count > 0 ? 'PASS' : 'PENDING'
}
