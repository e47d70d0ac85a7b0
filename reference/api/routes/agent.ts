import type { Route } from './route.ts'

export type AgentOperation =
  | 'read-versions'
  | 'read-info'
  | 'read-public-key'
  | 'take-v-key'
  | 'take-u-key'
  | 'verify-key'
  | 'quote-identity'
  | 'quote-integrity'
  | 'take-revocation'

/** All of an agent is for verifiers and tenants, who show a certificate (interface document, "Authentication"; ambiguity AGENTOPEN). */
const ASKED = { action: 'ask_agent', reply: 'envelope', until: '2.6' } as const

/**
 * Interface document, "Agent, pull mode". Revocation messages are not in it: verifiers send them to their agents when one
 * has failed.
 */
export const AGENT_ROUTES: readonly Route<AgentOperation>[] = [
  {
    ...ASKED,
    method: 'GET',
    path: '/version',
    operation: 'read-versions',
    since: '2.0',
    unversioned: true,
  },
  { ...ASKED, method: 'GET', path: '/agent/info', operation: 'read-info', since: '2.2' },
  { ...ASKED, method: 'GET', path: '/keys/pubkey', operation: 'read-public-key' },
  { ...ASKED, method: 'POST', path: '/keys/vkey', operation: 'take-v-key', body: 'message' },
  { ...ASKED, method: 'POST', path: '/keys/ukey', operation: 'take-u-key', body: 'logs' },
  { ...ASKED, method: 'GET', path: '/keys/verify', operation: 'verify-key' },
  { ...ASKED, method: 'GET', path: '/quotes/identity', operation: 'quote-identity' },
  { ...ASKED, method: 'GET', path: '/quotes/integrity', operation: 'quote-integrity' },
  {
    ...ASKED,
    method: 'POST',
    path: '/notifications/revocation',
    operation: 'take-revocation',
    body: 'message',
    since: '2.1',
  },
]
