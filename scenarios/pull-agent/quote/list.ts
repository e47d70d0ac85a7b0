import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'
import { imaListOf } from '../support/machine-logs.ts'

export default scenario({
  id: 'pull-agent.quote.list',
  title:
    'A pull agent returns the measurement list from the requested entry if PCR 10 is in the mask',
  requirements: [
    ...quoteRequirements('INTEGRITY'),
    'AGT-INTEGRITY-ENTRY-OPTIONAL',
    'AGT-INTEGRITY-ENTRY-DEFAULT',
    'AGT-INTEGRITY-ENTRY-OFFSET',
    'AGT-INTEGRITY-LIST-REPLAYS',
    'AGT-INTEGRITY-NO-LIST',
  ],
  role: 'pull_agent',
  needs: ['ima_log'],
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check, observe } = context
    const agent = await pullAgents.shared()
    const ask = async (ima_ml_entry?: number, mask = '0x400') =>
      agent.integrity({ nonce: freshNonce(random), mask, partial: '1', ima_ml_entry })
    const lines = agent.machine.ima.count

    const nonce = freshNonce(random)
    const whole = await agent.integrity({ nonce, mask: '0x400', partial: '0' })
    check('AGT-INTEGRITY-ENTRY-OPTIONAL', 'HTTP status').of(whole.status).is(200)
    await checkQuote(context, agent, whole, 'INTEGRITY', { nonce, pcrs: [10] })
    const list = results(whole, 'ima_measurement_list')
    check('AGT-INTEGRITY-LIST-REPLAYS', 'the list compared with the PCR')
      .of(list === imaListOf(agent.machine))
      .is(true)
    check('AGT-INTEGRITY-ENTRY-DEFAULT', 'line')
      .of(results(whole, 'ima_measurement_list_entry'))
      .is(0)

    for (const entry of [0, 1, lines - 1, lines]) {
      const part = await ask(entry)
      check('AGT-INTEGRITY-ENTRY-OFFSET', 'line')
        .of(results(part, 'ima_measurement_list_entry'))
        .is(entry)
      check('AGT-INTEGRITY-ENTRY-OFFSET', `the list from line ${entry}`)
        .of(results(part, 'ima_measurement_list') === imaListOf(agent.machine, entry))
        .is(true)
    }

    const besides = await ask(0, '0x401')
    check('AGT-INTEGRITY-LIST-REPLAYS', 'the list for PCRs 0 and 10')
      .of(results(besides, 'ima_measurement_list') === list)
      .is(true)
    const without = await ask(undefined, '0x8000')
    check('AGT-INTEGRITY-NO-LIST', 'whether PCR 15 alone is quoted')
      .of(typeof results(without, 'quote'))
      .is('string')
    check('AGT-INTEGRITY-NO-LIST', 'whether there is a list without PCR 10')
      .of(results(without, 'ima_measurement_list') !== undefined)
      .is(false)
    const beyond = await ask(lines + 1)
    const from = Number(results(beyond, 'ima_measurement_list_entry'))
    if (isSuccess(beyond))
      check('AGT-INTEGRITY-ENTRY-OFFSET', 'whether the list begins at the line that it names')
        .of(results(beyond, 'ima_measurement_list') === imaListOf(agent.machine, from))
        .is(true)
    observe('LISTBEYOND', 'an entry after the last', results(beyond, 'ima_measurement_list_entry'))
  },
})
