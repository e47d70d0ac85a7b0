import { type AgentStore, agentStore } from './agent-store.ts'
import { type AttestationStore, attestationStore } from './attestation-store.ts'
import { type BootPolicyStore, bootPolicyStore } from './boot-policy-store.ts'
import type { VerifierDatabase } from './database.ts'
import { type PolicyStore, policyStore } from './policy-store.ts'
import { type SessionStore, sessionStore } from './session-store.ts'

/** What the verifier keeps. Rows go in and out whole; JSON members are the callers' business. */
export interface VerifierStore {
  readonly agents: AgentStore
  readonly policies: PolicyStore
  readonly bootPolicies: BootPolicyStore
  readonly sessions: SessionStore
  readonly attestations: AttestationStore
  close(): Promise<void>
}

export function verifierStore(database: VerifierDatabase): VerifierStore {
  return {
    agents: agentStore(database),
    policies: policyStore(database),
    bootPolicies: bootPolicyStore(database),
    sessions: sessionStore(database),
    attestations: attestationStore(database),
    close: () => database.destroy(),
  }
}
