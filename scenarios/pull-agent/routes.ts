import { agentRoutesFamily } from './support/agent-routes-family.ts'

/** Operations of a pull agent under each version. */
export default agentRoutesFamily('pull-agent.routes')
