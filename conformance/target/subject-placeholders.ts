/** What the command of every agent may name. */
const AGENT_WORDS = [
  'agent.id',
  'agent.dir',
  'tpm',
  'ima_log',
  'boot_log',
  'registrar.host',
  'registrar.port',
  'registrar.tls_port',
  'client_ca',
] as const

/** What the command of a pull agent may name: it listens, and has a TPM that it may reach by TCP. */
const PULL_AGENT_WORDS = [...AGENT_WORDS, 'agent.port', 'tpm.host', 'tpm.port'] as const

/**
 * What the command of a push agent may name: whom it speaks to, and how patient it shall be. `interval` is in seconds,
 * `backoff` and `backoff_max` are in milliseconds.
 */
const PUSH_AGENT_WORDS = [
  ...AGENT_WORDS,
  'tpm.host',
  'tpm.port',
  'verifier.host',
  'verifier.port',
  'interval',
  'backoff',
  'backoff_max',
] as const

const TENANT_WORDS = [
  'tenant.dir',
  'registrar.host',
  'registrar.port',
  'registrar.tls_port',
  'verifier.host',
  'verifier.port',
  'client_ca',
  'client_cert',
  'client_key',
] as const

const WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['pull_agent', PULL_AGENT_WORDS],
  ['push_agent', PUSH_AGENT_WORDS],
  ['tenant', TENANT_WORDS],
])

/** The placeholders of a role's command that only its start gives a value to. */
export function lateWordsOf(role: string): readonly string[] {
  return WORDS.get(role) ?? []
}

export type PullAgentWord = (typeof PULL_AGENT_WORDS)[number]
export type PushAgentWord = (typeof PUSH_AGENT_WORDS)[number]
export type TenantWord = (typeof TENANT_WORDS)[number]
