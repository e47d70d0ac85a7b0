import { agentClosedFamily } from './support/agent-closed-family.ts'

/** Clients that a pull agent must not serve. */
export default agentClosedFamily('pull-agent.closed', 'pull-agent.routes')
