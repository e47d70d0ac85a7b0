import { scenario } from '../../../conformance/scenario.ts'
import { checkLists, LIST_REQUIREMENTS } from '../support/engine.ts'

export default scenario({
  id: 'push-agent.evidence.lists',
  title:
    'The lists that a push agent sends follow each other without a gap, and replay to what it quoted',
  requirements: [...LIST_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  needs: ['ima_log'],
  since: '3.0',

  async run(context) {
    const { operations } = await context.pushAgents.recording()
    await checkLists(context, operations)
  },
})
