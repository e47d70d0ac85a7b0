import { agentRoutesFamily } from '../../conformance/dsl.ts'

/** What a pull agent serves, under each version. */
export default agentRoutesFamily('pull-agent.routes')
