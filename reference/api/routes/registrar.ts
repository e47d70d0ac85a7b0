import type { Route } from './route.ts'
import { VERSION_ROUTES, type VersionOperation } from './versions.ts'

export type RegistrarOperation =
  | VersionOperation
  | 'list-agents'
  | 'read-agent'
  | 'delete-agent'
  | 'register-agent'
  | 'activate-agent'
  | 'activate-virtual-agent'

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
  },
  {
    method: 'GET',
    path: '/agents/:agent_id',
    operation: 'read-agent',
    action: 'read_registration',
    reply: 'envelope',
  },
  {
    method: 'DELETE',
    path: '/agents/:agent_id',
    operation: 'delete-agent',
    action: 'delete_registration',
    reply: 'envelope',
  },
  {
    method: 'POST',
    path: '/agents/:agent_id',
    operation: 'register-agent',
    action: 'register_agent',
    reply: 'envelope',
    body: 'message',
    until: '2.6',
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
    until: '2.6',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id',
    operation: 'activate-agent',
    action: 'activate_agent',
    reply: 'envelope',
    body: 'message',
    until: '2.6',
  },
  {
    method: 'PUT',
    path: '/agents/:agent_id/vactivate',
    operation: 'activate-virtual-agent',
    action: 'activate_agent',
    reply: 'envelope',
    body: 'message',
    until: '2.0',
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
