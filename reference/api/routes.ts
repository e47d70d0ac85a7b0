import type { Action } from '../authorization/actions.ts'
import type { VersionRange } from './versions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `envelope` is `{code, status, results}`; `document` is `{data, meta}` of the push endpoints. */
export type ReplyForm = 'envelope' | 'document'

export interface Route<Operation extends string = string> extends Partial<VersionRange> {
  readonly method: Method
  /** Below the version prefix; `unversioned` routes stand at the root. */
  readonly path: string
  readonly operation: Operation
  readonly action: Action
  readonly reply: ReplyForm
  readonly unversioned?: true
  /** How large a request body may be; absent where none is needed. */
  readonly body?: BodySize
}

/**
 * What a request body may hold: `message` is a handful of keys and certificates, `logs` is measurement
 * lists and policies. Strangers send messages only, but for evidence that they want judged.
 */
export type BodySize = 'message' | 'logs'

type VersionOperation = 'read-version' | 'probe-version'

/**
 * What both components say of their versions. `GET /` and `GET /versions` stand in the authorization table of the
 * interface document only, for no component in particular (ambiguities VERSIONS and ROOTGET).
 */
const VERSION_ROUTES: readonly Route<VersionOperation>[] = [
  {
    method: 'GET',
    path: '/version',
    operation: 'read-version',
    action: 'read_version',
    reply: 'envelope',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/versions',
    operation: 'read-version',
    action: 'read_version',
    reply: 'envelope',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/',
    operation: 'probe-version',
    action: 'read_version',
    reply: 'envelope',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/',
    operation: 'probe-version',
    action: 'read_version',
    reply: 'envelope',
    since: '3.0',
  },
]

export type RegistrarOperation =
  | VersionOperation
  | 'list-agents'
  | 'read-agent'
  | 'delete-agent'
  | 'register-agent'
  | 'activate-agent'

/**
 * Interface document, "Endpoints / Registrar". Agents in the field activate with PUT on the agent itself,
 * the route that the document names among those that 3.0 removes (ambiguity PUTAGENT).
 */
export const REGISTRAR_ROUTES: readonly Route<RegistrarOperation>[] = [
  ...VERSION_ROUTES,
  {
    method: 'GET',
    path: '/agents',
    operation: 'list-agents',
    action: 'list_registrations',
    reply: 'envelope',
    since: '2.0',
  },
  {
    method: 'GET',
    path: '/agents/:agent_id',
    operation: 'read-agent',
    action: 'read_registration',
    reply: 'envelope',
    since: '2.0',
  },
  {
    method: 'DELETE',
    path: '/agents/:agent_id',
    operation: 'delete-agent',
    action: 'delete_registration',
    reply: 'envelope',
    since: '2.0',
  },
  {
    method: 'POST',
    path: '/agents/:agent_id',
    operation: 'register-agent',
    action: 'register_agent',
    reply: 'envelope',
    body: 'message',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'POST',
    path: '/agents',
    operation: 'register-agent',
    action: 'register_agent',
    reply: 'envelope',
    body: 'message',
    since: '3.0',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id/activate',
    operation: 'activate-agent',
    action: 'activate_agent',
    reply: 'envelope',
    body: 'message',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id',
    operation: 'activate-agent',
    action: 'activate_agent',
    reply: 'envelope',
    body: 'message',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'POST',
    path: '/agents/:agent_id/activate',
    operation: 'activate-agent',
    action: 'activate_agent',
    reply: 'envelope',
    body: 'message',
    since: '3.0',
  },
]

export type VerifierOperation =
  | VersionOperation
  | 'add-agent'
  | 'read-agent'
  | 'delete-agent'
  | 'create-runtime-policy'
  | 'read-runtime-policy'
  | 'list-runtime-policies'
  | 'delete-runtime-policy'
  | 'verify-evidence'
  | 'create-session'
  | 'complete-session'
  | 'create-attestation'
  | 'submit-evidence'
  | 'list-attestations'
  | 'read-attestation'

/**
 * Interface document, "Endpoints / Verifier, pull model" and "Verifier, push model".
 * `allowlist` in the singular is the document's spelling for DELETE; both act (ambiguity ALLOWPATH).
 */
export const VERIFIER_ROUTES: readonly Route<VerifierOperation>[] = [
  ...VERSION_ROUTES,
  {
    method: 'POST',
    path: '/agents/:agent_id',
    operation: 'add-agent',
    action: 'create_agent',
    reply: 'envelope',
    body: 'logs',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'GET',
    path: '/agents/:agent_id',
    operation: 'read-agent',
    action: 'read_agent',
    reply: 'envelope',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'DELETE',
    path: '/agents/:agent_id',
    operation: 'delete-agent',
    action: 'delete_agent',
    reply: 'envelope',
    since: '2.0',
    until: '2.5',
  },
  {
    method: 'POST',
    path: '/allowlists/:name',
    operation: 'create-runtime-policy',
    action: 'create_runtime_policy',
    reply: 'envelope',
    body: 'logs',
    since: '2.1',
    until: '2.5',
  },
  {
    method: 'GET',
    path: '/allowlists/:name',
    operation: 'read-runtime-policy',
    action: 'read_runtime_policy',
    reply: 'envelope',
    since: '2.1',
    until: '2.5',
  },
  {
    method: 'GET',
    path: '/allowlists',
    operation: 'list-runtime-policies',
    action: 'list_runtime_policies',
    reply: 'envelope',
    since: '2.1',
    until: '2.5',
  },
  {
    method: 'DELETE',
    path: '/allowlist/:name',
    operation: 'delete-runtime-policy',
    action: 'delete_runtime_policy',
    reply: 'envelope',
    since: '2.1',
    until: '2.5',
  },
  {
    method: 'DELETE',
    path: '/allowlists/:name',
    operation: 'delete-runtime-policy',
    action: 'delete_runtime_policy',
    reply: 'envelope',
    since: '2.1',
    until: '2.5',
  },
  {
    method: 'POST',
    path: '/verify/evidence',
    operation: 'verify-evidence',
    action: 'verify_evidence',
    reply: 'envelope',
    body: 'logs',
    since: '2.4',
    until: '2.5',
  },
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
