import { agentClosedFamily } from '../../conformance/dsl.ts'

/** Whom a pull agent does not serve. */
export default agentClosedFamily('pull-agent.closed', 'pull-agent.routes')
