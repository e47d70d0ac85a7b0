import type { Route } from './route.ts'

export type TenantWebOperation =
  | 'list-agents'
  | 'read-agent'
  | 'reactivate-agent'
  | 'add-agent'
  | 'stop-agent'
  | 'delete-agent'
  | 'list-logs'
  | 'read-log'
  | 'read-page'
  | 'read-style'
  | 'read-script'

const ENVELOPE = { action: 'use_tenant', reply: 'envelope', since: '2.0', until: '2.0' } as const
const FILE = { action: 'use_tenant', reply: 'file', unversioned: true } as const

/**
 * Interface document, "Legacy v2 listing". The listing has no operation that stops or deletes an agent: ours are those
 * that the same listing has for the verifier. The page with its files is at the root.
 */
export const TENANT_WEB_ROUTES: readonly Route<TenantWebOperation>[] = [
  { method: 'GET', path: '/agents', operation: 'list-agents', ...ENVELOPE },
  { method: 'GET', path: '/agents/:agent_id', operation: 'read-agent', ...ENVELOPE },
  {
    method: 'PUT',
    path: '/agents/:agent_id',
    operation: 'reactivate-agent',
    body: 'message',
    ...ENVELOPE,
  },
  { method: 'POST', path: '/agents/:agent_id', operation: 'add-agent', body: 'logs', ...ENVELOPE },
  {
    method: 'PUT',
    path: '/agents/:agent_id/stop',
    operation: 'stop-agent',
    body: 'message',
    ...ENVELOPE,
  },
  { method: 'DELETE', path: '/agents/:agent_id', operation: 'delete-agent', ...ENVELOPE },
  { method: 'GET', path: '/logs', operation: 'list-logs', ...ENVELOPE },
  { method: 'GET', path: '/logs/:log_type', operation: 'read-log', ...ENVELOPE },
  { method: 'GET', path: '/', operation: 'read-page', ...FILE },
  { method: 'GET', path: '/page.css', operation: 'read-style', ...FILE },
  { method: 'GET', path: '/page.js', operation: 'read-script', ...FILE },
]
