import { scenario } from '../../../conformance/scenario.ts'
import { offeredCounts } from '../support/check-capabilities.ts'
import { checkBootLogs, checkLists, LIST_REQUIREMENTS } from '../support/engine.ts'

const SOON_MS = 300
/** More than 64 KiB, and bytes after the last event. */
const LONG_BOOT_LOG = 'fault uefi-padding-zeros-64k'

export default scenario({
  id: 'push-agent.evidence.name-not-utf-8',
  title:
    'A push agent sends the entry of a file whose name is not UTF-8, and a long firmware log, byte for byte',
  requirements: [...LIST_REQUIREMENTS, 'PSH-LIST-COUNT', 'PSH-EVIDENCE-BOOT-LOG'],
  role: 'push_agent',
  seconds: 3,
  needs: ['ima_log'],
  since: '3.0',
  variantOf: 'push-agent.evidence.lists',
  async run(context) {
    const agent = await context.pushAgents.start({ machine: LONG_BOOT_LOG })
    const [first] = await agent.took('evidence')
    await agent.play([['measure', '/tmp/a-byte-\udcff']])
    // An offer that comes at once may have been made before.
    const measured = performance.now() + SOON_MS
    await agent.took('evidence', 3)
    await checkLists(context, agent.operations)
    checkBootLogs(context, 'PSH-EVIDENCE-BOOT-LOG', agent.operations)
    const later = agent.operations.filter(({ request }) => request.at > measured)
    context
      .check('PSH-LIST-COUNT', 'entry_count of the first offer after the measurement')
      .of(offeredCounts(later)[0])
      .is((first?.known?.list.length ?? 0) + 1)
  },
})
