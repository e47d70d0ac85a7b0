import { checkPushDocuments, PUSH_EVIDENCE, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.evidence.sent',
  title: 'A push agent sends what was requested, once and in time',
  requirements: [...PUSH_EVIDENCE],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushDocuments(context, await context.pushAgents.story())
  },
})
