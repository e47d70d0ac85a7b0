import { results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce, publicKeyOf } from '../support/engine.ts'

/** A machine that has run for longer has not been updated either; an instant of today is far beyond. */
const YEARS_OF_UPTIME = 20 * 365 * 24 * 3600

export default scenario({
  id: 'pull-agent.quote.identity',
  title:
    'A pull agent returns an identity quote by the registered key over the nonce and the public key, without logs',
  requirements: [
    ...quoteRequirements('IDENTITY'),
    'AGT-IDENTITY-PUBKEY-PEM',
    'AGT-IDENTITY-BOOTTIME-SECONDS',
    'AGT-IDENTITY-NO-LISTS',
    'AGT-NODE-KEY',
    'AGT-BOOT-TIME-MEANING',
  ],
  role: 'pull_agent',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check, observe } = context
    const agent = await pullAgents.shared()
    const nonce = freshNonce(random)
    const reply = await agent.identity(nonce)
    await checkQuote(context, agent, reply, 'IDENTITY', { nonce })
    const pubkey = results(reply, 'pubkey')
    check('AGT-IDENTITY-PUBKEY-PEM', 'pubkey')
      .of(pubkey)
      .matches('a public key in PEM', (text) =>
        String(text).startsWith('-----BEGIN PUBLIC KEY-----'),
      )
    const boottime = Number(results(reply, 'boottime'))
    check('AGT-IDENTITY-BOOTTIME-SECONDS', 'boottime')
      .of(boottime)
      .matches('a number of seconds, zero or more', (seconds) => seconds >= 0)
    const now = Math.floor(context.now() / 1000)
    check('AGT-BOOT-TIME-MEANING', 'boottime')
      .of(boottime)
      .meets({
        'seconds since the boot': (seconds) => seconds < YEARS_OF_UPTIME,
        'the instant of the boot': (seconds) => seconds >= YEARS_OF_UPTIME && seconds <= now,
      })
    observe('BOOTTIME', 'boottime', boottime)
    const logs = ['ima_measurement_list', 'ima_measurement_list_entry', 'mb_measurement_list']
    const shown = logs.filter((name) => results(reply, name) !== undefined)
    check('AGT-IDENTITY-NO-LISTS', 'logs in the answer').of(shown).is([])
    const same = pubkey === (await publicKeyOf(agent))
    check('AGT-NODE-KEY', 'whether pubkey is that of keys/pubkey')
      .of(same)
      .meets({ 'one key': () => same, 'two keys': () => !same })
    observe('NODEKEY', 'the public keys', same ? 'one key' : 'two keys')
  },
})
