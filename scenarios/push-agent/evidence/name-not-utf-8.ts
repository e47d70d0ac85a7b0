import { scenario } from '../../../conformance/scenario.ts'
import { checkCounts } from '../support/check-capabilities.ts'
import { checkBootLogs, checkLists, LIST_REQUIREMENTS } from '../support/engine.ts'

/** More than 64 KiB, and bytes after the last event. */
const LONG_BOOT_LOG = 'fault uefi-padding-zeros-64k'
/** Twenty files with paths of 3,900 characters: a list of more than 64 KiB too. */
const FOLDERS = `/${'d'.repeat(194)}`.repeat(20)
const FILES = Array.from({ length: 20 }, (_, at) => `measure ${FOLDERS}/${at}`)
/** A name with characters that end a line for some programs; for the kernel they do not. */
const ONE_LINE = '/tmp/one\r\f\u2028line'

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
    const agent = await context.pushAgents.start({ machine: [LONG_BOOT_LOG, ...FILES].join('\n') })
    await agent.took('evidence')
    const before = agent.operations.length
    // The file is measured while the agent waits for the answer to its offer.
    agent.verifier.play([{ on: 'capabilities', does: 'slow', times: 1 }])
    await agent.took('capabilities', 1, before)
    await agent.play([['measure', '/tmp/a-byte-\udcff']])
    await agent.took('evidence', 2, before)
    agent.verifier.set({ wholeLists: true })
    // Such a name comes behind all others again. Two, as the first may have been on its way.
    await agent.play([
      ['measure', ONE_LINE],
      ['measure', '/tmp/another-byte-\udcff'],
    ])
    context
      .check('PSH-EVIDENCE-ENTRIES', 'evidence with the whole list')
      .of(await agent.takesInSession('evidence', 2))
      .is(true)
    if (!(await checkLists(context, agent.operations))) return
    checkBootLogs(context, 'PSH-EVIDENCE-BOOT-LOG', agent.operations)
    checkCounts(context, agent.operations)
  },
})
