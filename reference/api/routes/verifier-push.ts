import type { Route } from './route.ts'

export type PushOperation =
  | 'create-session'
  | 'complete-session'
  | 'create-attestation'
  | 'submit-evidence'
  | 'list-attestations'
  | 'read-attestation'

/** Interface document, "Endpoints / Verifier, push model". */
export const PUSH_ROUTES: readonly Route<PushOperation>[] = [
  {
    method: 'POST',
    path: '/sessions',
    operation: 'create-session',
    action: 'create_session',
    reply: 'document',
    body: 'message',
    since: '3.0',
  },
  {
    method: 'PATCH',
    path: '/sessions/:session_id',
    operation: 'complete-session',
    action: 'complete_session',
    reply: 'document',
    body: 'message',
    since: '3.0',
  },
  {
    method: 'POST',
    path: '/agents/:agent_id/attestations',
    operation: 'create-attestation',
    action: 'submit_attestation',
    reply: 'document',
    body: 'message',
    since: '3.0',
  },
  {
    method: 'PATCH',
    path: '/agents/:agent_id/attestations/:index',
    operation: 'submit-evidence',
    action: 'submit_attestation',
    reply: 'document',
    body: 'logs',
    since: '3.0',
  },
  {
    method: 'GET',
    path: '/agents/:agent_id/attestations',
    operation: 'list-attestations',
    action: 'read_attestations',
    reply: 'document',
    since: '3.0',
  },
  {
    method: 'GET',
    path: '/agents/:agent_id/attestations/:index',
    operation: 'read-attestation',
    action: 'read_attestations',
    reply: 'document',
    since: '3.0',
  },
]
