/** Placeholders of every agent's command. */
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

/** Placeholders of a pull agent's command: its port, and the TCP address of its TPM; its host, where its TPM is virtual. */
const PULL_AGENT_WORDS = [
  ...AGENT_WORDS,
  'agent.port',
  'tpm.host',
  'tpm.port',
  'host_tpm',
  'provider.host',
  'provider.port',
  'provider.tls_port',
] as const

/**
 * Placeholders of a push agent's command: its servers, intervals and back-off. `interval` is in seconds, `backoff`
 * and `backoff_max` are in milliseconds.
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

/** Placeholders of a web application's command: the same, the port at which it listens, and its server certificate. */
const TENANT_WEB_WORDS = [...TENANT_WORDS, 'web.port', 'server_cert', 'server_key'] as const

const WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['pull_agent', PULL_AGENT_WORDS],
  ['push_agent', PUSH_AGENT_WORDS],
  ['tenant', TENANT_WORDS],
  ['tenant_web', TENANT_WEB_WORDS],
])

/** The placeholders of a role's command that get a value at its start. */
export function lateWordsOf(role: string): readonly string[] {
  return WORDS.get(role) ?? []
}

export type PullAgentWord = (typeof PULL_AGENT_WORDS)[number]
export type PushAgentWord = (typeof PUSH_AGENT_WORDS)[number]
export type TenantWord = (typeof TENANT_WORDS)[number]
export type TenantWebWord = (typeof TENANT_WEB_WORDS)[number]
