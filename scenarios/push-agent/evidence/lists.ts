import { scenario } from '../../../conformance/scenario.ts'
import { checkLists, firstOf, LIST_REQUIREMENTS, takenOf } from '../support/engine.ts'

export default scenario({
  id: 'push-agent.evidence.lists',
  title: 'A push agent sends measurement lists without gaps that replay to its quotes',
  requirements: [...LIST_REQUIREMENTS],
  role: 'push_agent',
  seconds: 5,
  needs: ['ima_log'],
  since: '3.0',

  async run(context) {
    const { operations } = await context.pushAgents.recording()
    firstOf(takenOf(operations, 'evidence'), 'evidence')
    await checkLists(context, operations)
  },
})
