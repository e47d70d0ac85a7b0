import { results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce, giveKeys, makeBootstrapKeys, publicKeyOf } from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.quote.partial',
  title:
    'A pull agent returns a valid partial quote without the public key, and a whole one with it, once it has K too, and each is a new one',
  requirements: [
    ...quoteRequirements('INTEGRITY'),
    'AGT-INTEGRITY-PARTIAL-0',
    'AGT-INTEGRITY-PARTIAL-1',
    'AGT-QUOTE-FRESH',
  ],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check, observe } = context
    const agent = await pullAgents.shared()
    const [first, nonce] = [freshNonce(random), freshNonce(random)]
    const askWhole = () => agent.integrity({ nonce: first, mask: '0x400', partial: '0' })
    const whole = await askWhole()
    const shown = results(whole, 'pubkey') ?? (await publicKeyOf(agent))
    const reply = await agent.integrity({ nonce, mask: '0x400', partial: '1' })
    const pubkey = String(shown)
    await checkQuote(context, agent, reply, 'INTEGRITY', { nonce, pcrs: [10], pubkey })
    const left = results(reply, 'pubkey')
    check('AGT-INTEGRITY-PARTIAL-1', 'pubkey')
      .of(left)
      .meets({
        absent: (key) => key === undefined,
        empty: (key) => key === null || key === '',
      })
    observe('PARTIAL', 'pubkey with partial=1', left)
    await giveKeys(agent, makeBootstrapKeys(agent), random)
    const later = await askWhole()
    check('AGT-INTEGRITY-PARTIAL-0', 'pubkey once K was derived')
      .of(results(later, 'pubkey'))
      .is(pubkey)
    check('AGT-QUOTE-FRESH', 'whether the last quote over the same nonce is the first one')
      .of(results(later, 'quote') === results(whole, 'quote'))
      .is(false)
  },
})
