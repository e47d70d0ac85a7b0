import { scenario } from '../../../conformance/scenario.ts'
import { checkDocuments, EVIDENCE_REQUIREMENTS } from '../support/check-evidence.ts'

export default scenario({
  id: 'push-agent.evidence.sent',
  title: 'A push agent sends the requested evidence once and in time',
  requirements: [...EVIDENCE_REQUIREMENTS],
  role: 'push_agent',
  provesFunction: true,
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkDocuments(context, await context.pushAgents.recording())
  },
})
