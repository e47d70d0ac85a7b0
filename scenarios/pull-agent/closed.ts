import { agentClosedFamily } from './support/agent-closed-family.ts'

/** Whom a pull agent does not serve. */
export default agentClosedFamily('pull-agent.closed', 'pull-agent.routes')
