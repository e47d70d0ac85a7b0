import { agentRoutesFamily } from './support/agent-routes-family.ts'

/** What a pull agent serves, under each version. */
export default agentRoutesFamily('pull-agent.routes')
