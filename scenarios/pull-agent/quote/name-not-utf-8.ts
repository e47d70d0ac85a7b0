import { results, scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'
import { isImaListOf } from '../support/machine-logs.ts'

export default scenario({
  id: 'pull-agent.quote.name-not-utf-8',
  title:
    'A pull agent returns a list with a file name that is not UTF-8 byte for byte, or refuses the request',
  requirements: ['AGT-INTEGRITY-LIST-REPLAYS'],
  role: 'pull_agent',
  seconds: 3,
  needs: ['ima_log'],
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.quote.list',
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.fresh({ script: [['measure', '/tmp/a-byte-\udcff']] }) // the defect
    const reply = await agent.integrity({ nonce: freshNonce(random), mask: '0x400', partial: '0' })
    observe('LISTNOTUTF8', 'a name that is not UTF-8', reply.status)
    const list = results(reply, 'ima_measurement_list')
    // JSON has no such bytes, so an agent may refuse the request.
    check('AGT-INTEGRITY-LIST-REPLAYS', 'the list, where there is one, compared with the PCR')
      .of(typeof list !== 'string' || isImaListOf(agent.machine, list))
      .is(true)
  },
})
