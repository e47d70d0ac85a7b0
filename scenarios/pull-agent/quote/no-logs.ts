import { results, scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'

const ID = 'AGT-INTEGRITY-NO-LOG-AT-ALL'
const READINGS = {
  absent: (log: unknown) => log === undefined,
  empty: (log: unknown) => log === null || log === '',
}

export default scenario({
  id: 'pull-agent.quote.no-logs',
  title: 'A pull agent on a machine without logs quotes, and returns no log or an empty one',
  requirements: [ID],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.fresh({ withoutLogs: true })
    const nonce = freshNonce(random)
    const reply = await agent.integrity({ nonce, mask: '0x401', partial: '0' })
    check(ID, 'HTTP status').of(reply.status).is(200)
    check(ID, 'whether there is a quote')
      .of(typeof results(reply, 'quote'))
      .is('string')
    for (const log of ['ima_measurement_list', 'mb_measurement_list'])
      check(ID, log).of(results(reply, log)).meets(READINGS)
  },
})
