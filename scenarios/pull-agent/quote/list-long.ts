import { results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'
import { bootLogOf, imaListOf } from '../support/machine-logs.ts'

/** Paths of 3,900 characters: 300 of them make a list of more than one mebibyte, which few agents read at once. */
const FOLDERS = `/${'d'.repeat(194)}`.repeat(20)
const LINES = 300
/** A name with characters that end a line for some programs; for the kernel they do not. */
const ONE_LINE = '/tmp/one\r\f\u2028line'
/** The firmware log has more than 64 KiB. */
const LONG_BOOT_LOG = 'fault uefi-padding-zeros-64k'

export default scenario({
  id: 'pull-agent.quote.list-long',
  title:
    'A pull agent returns a measurement list of more than one mebibyte, and a firmware log of more than 64 KiB, as a whole, and the list from a late entry',
  requirements: [
    ...quoteRequirements('INTEGRITY'),
    'AGT-INTEGRITY-LIST-REPLAYS',
    'AGT-INTEGRITY-ENTRY-OFFSET',
    'AGT-INTEGRITY-BOOT-LOG-BASE64',
  ],
  role: 'pull_agent',
  needs: ['ima_log'],
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.quote.list',
  async run(context) {
    const { pullAgents, random, check } = context
    const agent = await pullAgents.fresh({ script: LONG_BOOT_LOG })
    const paths = Array.from({ length: LINES }, (_, at) => `${FOLDERS}/${at}`)
    await agent.play([ONE_LINE, ...paths].map((path) => ['measure', path])) // the defect
    const nonce = freshNonce(random)
    const reply = await agent.integrity({ nonce, mask: '0x401', partial: '0' })
    await checkQuote(context, agent, reply, 'INTEGRITY', { nonce, pcrs: [0, 10] })
    check('AGT-INTEGRITY-LIST-REPLAYS', `the list with ${LINES} long paths`)
      .of(results(reply, 'ima_measurement_list') === imaListOf(agent.machine))
      .is(true)
    const rest = await agent.integrity({ nonce, mask: '0x400', partial: '1', ima_ml_entry: LINES })
    check('AGT-INTEGRITY-ENTRY-OFFSET', `the list from line ${LINES}`)
      .of(results(rest, 'ima_measurement_list') === imaListOf(agent.machine, LINES))
      .is(true)
    const log = results(reply, 'mb_measurement_list')
    check('AGT-INTEGRITY-BOOT-LOG-BASE64', 'the firmware log, where there is one')
      .of(log === undefined || log === bootLogOf(agent.machine))
      .is(true)
  },
})
