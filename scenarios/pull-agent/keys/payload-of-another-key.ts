import { scenario } from '../../../conformance/scenario.ts'
import { awaitPayload } from '../support/agent-payload.ts'
import {
  awaitDerived,
  giveKeys,
  makeBootstrapKeys,
  publicKeyOf,
  sealPayload,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

const ORDERS = [
  ['ukey', 'vkey'],
  ['vkey', 'ukey'],
] as const
type Order = (typeof ORDERS)[number]
type BootstrapKeys = ReturnType<typeof makeBootstrapKeys>

export default scenario({
  id: 'pull-agent.keys.payload-of-another-key',
  title:
    'A pull agent does not deliver a payload encrypted with another key, and keeps the V key that waits',
  requirements: ['AGT-UKEY-PAYLOAD-OTHER-KEY', 'AGT-KEYS-SEPARATE'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.payload-delivered',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const publicKey = await publicKeyOf(agent)
    const send = async (order: Order, text: string, sealedBy?: BootstrapKeys) => {
      const keys = makeBootstrapKeys(agent)
      const payload = sealPayload(sealedBy ?? keys, new TextEncoder().encode(text))
      const bodies = {
        ukey: { ...ukeyBody(publicKey, keys, agent.id), payload },
        vkey: vkeyBody(publicKey, keys),
      }
      for (const half of order) await agent.call(half, { body: bodies[half] })
    }
    for (const order of ORDERS) {
      const good = `a payload of the harness: ${random.uuid()}\n`
      await send(order, good)
      await awaitPayload(agent, good)
      await send(order, 'a payload of another client\n', makeBootstrapKeys(agent)) // the defect
      // The agent joins the pairs in order, so a later pair shows that the earlier one was processed.
      await giveKeys(agent, makeBootstrapKeys(agent), random)
      check('AGT-UKEY-PAYLOAD-OTHER-KEY', `the delivered payload, ${order[0]} first`)
        .of(agent.payload())
        .isOneOf([good, undefined])
    }
    // Neither of the first two U keys may cost the agent the V key that waits.
    const keys = makeBootstrapKeys(agent)
    const ukey = ukeyBody(publicKey, keys, agent.id)
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    const text = new TextEncoder().encode('a payload of another client\n')
    const payload = sealPayload(makeBootstrapKeys(agent), text)
    await agent.call('ukey', { body: { ...ukey, payload } })
    await agent.call('ukey', { body: ukey })
    const { derived } = await awaitDerived(agent, keys, random)
    check('AGT-KEYS-SEPARATE', 'K of a V key after a U key with another payload')
      .of(derived)
      .is(true)
    const others = makeBootstrapKeys(agent)
    await agent.call('vkey', { body: vkeyBody(publicKey, others) })
    await agent.call('ukey', { body: { auth_tag: ukey['auth_tag'] } })
    await agent.call('ukey', { body: ukeyBody(publicKey, others, agent.id) })
    check('AGT-KEYS-SEPARATE', 'K of a V key after a U key that cannot be read')
      .of((await awaitDerived(agent, others, random)).derived)
      .is(true)
  },
})
