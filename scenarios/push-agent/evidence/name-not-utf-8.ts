import { scenario } from '../../../conformance/scenario.ts'
import { checkLists, LIST_REQUIREMENTS } from '../support/engine.ts'

export default scenario({
  id: 'push-agent.evidence.name-not-utf-8',
  title: 'A push agent sends the entry of a file whose name is not UTF-8, byte for byte',
  requirements: [...LIST_REQUIREMENTS],
  role: 'push_agent',
  seconds: 3,
  needs: ['ima_log'],
  since: '3.0',
  variantOf: 'push-agent.evidence.lists',
  async run(context) {
    const agent = await context.pushAgents.start()
    await agent.play([['measure', '/tmp/a-byte-\udcff']])
    await agent.took('evidence', 2)
    await checkLists(context, agent.operations)
  },
})
