import { scenario } from '../../../conformance/scenario.ts'
import { offeredCounts } from '../support/check-capabilities.ts'
import { checkLists, LIST_REQUIREMENTS } from '../support/engine.ts'

export default scenario({
  id: 'push-agent.evidence.name-not-utf-8',
  title: 'A push agent sends the entry of a file whose name is not UTF-8, byte for byte',
  requirements: [...LIST_REQUIREMENTS, 'PSH-LIST-COUNT'],
  role: 'push_agent',
  seconds: 3,
  needs: ['ima_log'],
  since: '3.0',
  variantOf: 'push-agent.evidence.lists',
  async run(context) {
    const agent = await context.pushAgents.start()
    const [first] = await agent.took('evidence')
    await agent.play([['measure', '/tmp/a-byte-\udcff']])
    const measured = agent.operations.length
    // The first evidence after the measurement may answer an offer from before it.
    await agent.took('evidence', 2, measured)
    await checkLists(context, agent.operations)
    const after = agent.operations.slice(measured)
    const later = after.slice(after.findIndex(({ step }) => step === 'evidence'))
    context
      .check('PSH-LIST-COUNT', 'entry_count of the first offer after the measurement')
      .of(offeredCounts(later)[0])
      .is((first?.known?.list.length ?? 0) + 1)
  },
})
