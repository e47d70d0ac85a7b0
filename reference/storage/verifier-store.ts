import { type AgentStore, agentStore } from './agent-store.ts'
import { type AttestationStore, attestationStore } from './attestation-store.ts'
import type { BootPolicyRow, VerifierDatabase } from './databases/database.ts'
import { type ListeningStore, listeningStore } from './listening-store.ts'
import {
  type PolicyStore,
  policyStore,
  type RuntimePolicyStore,
  runtimePolicyStore,
} from './policy-store.ts'
import { type SessionStore, sessionStore } from './session-store.ts'

/** The records of the verifier. Rows are read and written whole; callers parse JSON members. */
export interface VerifierStore {
  readonly agents: AgentStore
  readonly policies: RuntimePolicyStore
  readonly bootPolicies: PolicyStore<BootPolicyRow>
  readonly sessions: SessionStore
  readonly attestations: AttestationStore
  readonly listening: ListeningStore
  close(): Promise<void>
}

export function verifierStore(database: VerifierDatabase): VerifierStore {
  return {
    agents: agentStore(database),
    policies: runtimePolicyStore(database),
    bootPolicies: policyStore(database, 'boot_policies'),
    sessions: sessionStore(database),
    attestations: attestationStore(database),
    listening: listeningStore(database),
    close: () => database.destroy(),
  }
}
