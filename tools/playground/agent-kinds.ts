/** The agents that a machine of the playground may run. */
export const AGENT_KINDS = ['pull', 'push'] as const
export type AgentKind = (typeof AGENT_KINDS)[number]

/** What the playground knows of an agent's attestation. */
export type Verdict = 'PASS' | 'FAIL' | 'PENDING' | 'unknown'
