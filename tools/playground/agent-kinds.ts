/** Kinds of agents in the playground. */
export const AGENT_KINDS = ['pull', 'push'] as const
export type AgentKind = (typeof AGENT_KINDS)[number]

/** The verifier's verdict on an agent. */
export type Verdict = 'PASS' | 'FAIL' | 'PENDING' | 'unknown'
