import { results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'
import { imaListOf } from '../support/machine-logs.ts'

/** Another program uses PCR 16 too, so that it does not hold the public key alone. */
const IN_BETWEEN = 'measure /usr/bin/started-in-between\nextend 16 00'

export default scenario({
  id: 'pull-agent.quote.list-grows',
  title: 'A pull agent includes new measurements in its next list and quote',
  requirements: [...quoteRequirements('INTEGRITY'), 'AGT-LIST-GROWS'],
  role: 'pull_agent',
  needs: ['ima_log'],
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check } = context
    const agent = await pullAgents.shared()
    const before = agent.machine.ima.count
    const query = { mask: '0x400', partial: '0' }
    await agent.integrity({ nonce: freshNonce(random), ...query })
    await agent.integrity({ nonce: freshNonce(random), ...query, ima_ml_entry: before })
    await agent.play(IN_BETWEEN)
    const nonce = freshNonce(random)
    const reply = await agent.integrity({ nonce, ...query, ima_ml_entry: before })
    await checkQuote(context, agent, reply, 'INTEGRITY', { nonce, pcrs: [10] })
    check('AGT-LIST-GROWS', 'line').of(results(reply, 'ima_measurement_list_entry')).is(before)
    check('AGT-LIST-GROWS', 'the list from there on')
      .of(results(reply, 'ima_measurement_list'))
      .is(imaListOf(agent.machine, before))
  },
})
