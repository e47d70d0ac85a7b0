import type { NewAttestation } from '../../../storage/attestation-store.ts'
import type {
  AgentRow,
  BootPolicyRow,
  RegistrationRow,
  RuntimePolicyRow,
  SessionRow,
} from '../../../storage/databases/database.ts'

export function registrationRow(change: Partial<RegistrationRow> = {}): RegistrationRow {
  return {
    agent_id: 'a',
    ek_tpm: 'EK',
    ekcert: null,
    aik_tpm: 'AIK',
    mtls_cert: null,
    ip: null,
    port: null,
    regcount: 1,
    active: 0,
    expected_tag: 'tag',
    pending: null,
    ...change,
  }
}

export function agentRow(change: Partial<AgentRow> = {}): AgentRow {
  return {
    agent_id: 'a',
    enrolment: 'first',
    mode: 'push',
    operational_state: 3,
    v: null,
    ip: null,
    port: null,
    ak_tpm: 'AK',
    tpm_policy: '{}',
    vtpm_policy: '{}',
    meta_data: '{}',
    mb_policy_name: null,
    runtime_policy_name: null,
    revocation_key: '',
    ima_sign_verification_keys: '',
    mtls_cert: null,
    supported_version: '',
    accept_tpm_hash_algs: '["sha256"]',
    accept_tpm_encryption_algs: '["ecc","rsa"]',
    accept_tpm_signing_algs: '["rsassa","ecdsa"]',
    hash_alg: '',
    enc_alg: 'ecc256',
    sign_alg: '',
    attestation_count: 0,
    failures: 0,
    started_with: 0,
    last_received_quote: 0,
    last_successful_attestation: 0,
    timeout_at: null,
    regcount_silent: null,
    carried: null,
    public_key: null,
    severity_level: null,
    last_event_id: null,
    verifier_id: 'default',
    verifier_ip: '127.0.0.1',
    verifier_port: 8881,
    ...change,
  }
}

export function bootPolicyRow(name: string): BootPolicyRow {
  return { name, mb_policy: '{"a":1}' }
}

export function policyRow(name: string): RuntimePolicyRow {
  return { name, tpm_policy: null, runtime_policy: '{}' }
}

/** A session of agent `a` as it is enrolled first, granted at 0, with a token that lives until 100. */
export function sessionRow(change: Partial<SessionRow> = {}): SessionRow {
  return {
    id: 's',
    agent_id: 'a',
    enrolment: 'first',
    granted_at: 0,
    token_hash: 'hash',
    token_expires_at: 100,
    ...change,
  }
}

export function attestationRow(change: Partial<NewAttestation> = {}): NewAttestation {
  return {
    agent_id: 'a',
    enrolment: 'first',
    stage: 'awaiting_evidence',
    evaluation: 'pending',
    failure_reason: null,
    findings: '[]',
    evidence: '[]',
    carried: null,
    system_info: '{}',
    capabilities_received_at: 0,
    challenges_expire_at: 100,
    evidence_received_at: null,
    verification_completed_at: null,
    ...change,
  }
}
