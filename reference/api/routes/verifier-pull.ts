import type { Route } from './route.ts'

export type PullOperation =
  | 'add-agent'
  | 'list-agents'
  | 'read-agent'
  | 'delete-agent'
  | 'reactivate-agent'
  | 'stop-agent'
  | 'create-runtime-policy'
  | 'read-runtime-policy'
  | 'list-runtime-policies'
  | 'replace-runtime-policy'
  | 'delete-runtime-policy'
  | 'list-boot-policies'
  | 'read-boot-policy'
  | 'create-boot-policy'
  | 'replace-boot-policy'
  | 'delete-boot-policy'
  | 'verify-identity'
  | 'verify-evidence'

/** One operation on a runtime policy under both spellings of its path. */
function ofRuntimePolicy(
  row: Pick<Route<PullOperation>, 'method' | 'operation' | 'action' | 'body'>,
): readonly Route<PullOperation>[] {
  return ['/allowlists/:name', '/allowlist/:name'].map((path) => ({
    ...row,
    path,
    reply: 'envelope',
    since: '2.1',
    until: '2.6',
  }))
}

/**
 * Interface document, "Endpoints / Verifier, pull model".
 * `allowlist` in the singular is the document's spelling for DELETE; both act for all (ambiguity ALLOWPATH).
 * The list of agents and PUT of a runtime policy are not in the document, and in use. Boot policies are changed in every version that has
 * them (ambiguity MB24).
 */
export const PULL_ROUTES: readonly Route<PullOperation>[] = [
  {
    method: 'GET',
    path: '/agents',
    operation: 'list-agents',
    action: 'list_agents',
    reply: 'envelope',
    until: '2.6',
  },
  {
    method: 'POST',
    path: '/agents/:agent_id',
    operation: 'add-agent',
    action: 'create_agent',
    reply: 'envelope',
    body: 'logs',
    until: '2.6',
  },
  {
    method: 'GET',
    path: '/agents/:agent_id',
    operation: 'read-agent',
    action: 'read_agent',
    reply: 'envelope',
    until: '2.6',
  },
  {
    method: 'DELETE',
    path: '/agents/:agent_id',
    operation: 'delete-agent',
    action: 'delete_agent',
    reply: 'envelope',
    until: '2.6',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id/reactivate',
    operation: 'reactivate-agent',
    action: 'reactivate_agent',
    reply: 'envelope',
    body: 'message',
    until: '2.6',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id/stop',
    operation: 'stop-agent',
    action: 'stop_agent',
    reply: 'envelope',
    body: 'message',
    until: '2.6',
  },
  ...ofRuntimePolicy({
    method: 'POST',
    operation: 'create-runtime-policy',
    action: 'create_runtime_policy',
    body: 'logs',
  }),
  ...ofRuntimePolicy({
    method: 'GET',
    operation: 'read-runtime-policy',
    action: 'read_runtime_policy',
  }),
  ...ofRuntimePolicy({
    method: 'PUT',
    operation: 'replace-runtime-policy',
    action: 'replace_runtime_policy',
    body: 'logs',
  }),
  ...ofRuntimePolicy({
    method: 'DELETE',
    operation: 'delete-runtime-policy',
    action: 'delete_runtime_policy',
  }),
  {
    method: 'GET',
    path: '/allowlists',
    operation: 'list-runtime-policies',
    action: 'list_runtime_policies',
    reply: 'envelope',
    since: '2.1',
    until: '2.6',
  },
  {
    method: 'GET',
    path: '/mbpolicies',
    operation: 'list-boot-policies',
    action: 'list_boot_policies',
    reply: 'envelope',
    since: '2.3',
    until: '2.6',
  },
  {
    method: 'GET',
    path: '/mbpolicies/:name',
    operation: 'read-boot-policy',
    action: 'read_boot_policy',
    reply: 'envelope',
    since: '2.3',
    until: '2.6',
  },
  {
    method: 'POST',
    path: '/mbpolicies/:name',
    operation: 'create-boot-policy',
    action: 'create_boot_policy',
    reply: 'envelope',
    body: 'logs',
    since: '2.3',
    until: '2.6',
  },
  {
    method: 'PUT',
    path: '/mbpolicies/:name',
    operation: 'replace-boot-policy',
    action: 'replace_boot_policy',
    reply: 'envelope',
    body: 'logs',
    since: '2.3',
    until: '2.6',
  },
  {
    method: 'DELETE',
    path: '/mbpolicies/:name',
    operation: 'delete-boot-policy',
    action: 'delete_boot_policy',
    reply: 'envelope',
    since: '2.3',
    until: '2.6',
  },
  {
    method: 'GET',
    path: '/verify/identity',
    operation: 'verify-identity',
    action: 'verify_identity',
    reply: 'envelope',
    since: '2.2',
    until: '2.6',
  },
  {
    method: 'POST',
    path: '/verify/evidence',
    operation: 'verify-evidence',
    action: 'verify_evidence',
    reply: 'envelope',
    body: 'logs',
    since: '2.4',
    until: '2.6',
  },
]
