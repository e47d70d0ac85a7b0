import { checkPushLists, PUSH_LISTS, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.evidence.lists',
  title:
    'The lists that a push agent sends follow each other without a gap, and replay to what it quoted',
  requirements: [...PUSH_LISTS],
  role: 'push_agent',
  seconds: 5,
  needs: ['ima_log'],
  since: '3.0',

  async run(context) {
    const { deeds } = await context.pushAgents.story()
    await checkPushLists(context, deeds)
  },
})
