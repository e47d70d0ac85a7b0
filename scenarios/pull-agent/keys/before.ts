import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  freshNonce,
  makeBootstrapKeys,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.keys.before',
  title:
    'A pull agent proves no key before both halves arrive, and unmatched halves do not block a later pair',
  requirements: ['AGT-VERIFY-BEFORE-KEYS-NO-HMAC', 'AGT-KEYS-SEPARATE'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.derived.u-then-v',
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.fresh()
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    const nothingYet = async (when: string) => {
      const reply = await agent.call('verify', { query: { challenge: freshNonce(random) } }) // the defect
      check('AGT-VERIFY-BEFORE-KEYS-NO-HMAC', `hmac ${when}`)
        .of(results(reply, 'hmac'))
        .is(undefined)
      check('AGT-VERIFY-BEFORE-KEYS-NO-HMAC', `success ${when}`).of(isSuccess(reply)).is(false)
      observe('BEFOREKEYS', `status ${when}`, reply.status)
    }
    await nothingYet('before any key')
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    await nothingYet('after only the V key')
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    await nothingYet('after the V key twice')
    await agent.call('ukey', { body: ukeyBody(publicKey, makeBootstrapKeys(agent), agent.id) })
    await nothingYet('after a U key of another pair')
    // As when an agent is added again: its U key arrives first and meets the V key of an incomplete pair.
    const anew = makeBootstrapKeys(agent)
    await agent.call('ukey', { body: ukeyBody(publicKey, anew, agent.id) })
    await agent.call('vkey', { body: vkeyBody(publicKey, anew) })
    const { derived } = await awaitDerived(agent, anew, random)
    check('AGT-KEYS-SEPARATE', 'K of a pair that arrives later').of(derived).is(true)
  },
})
