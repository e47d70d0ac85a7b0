import { scenario } from '../../../conformance/scenario.ts'
import { awaitPayload } from '../support/agent-payload.ts'
import {
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
  title: 'A pull agent does not deliver a payload encrypted with another key',
  requirements: ['AGT-UKEY-PAYLOAD-OTHER-KEY'],
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
  },
})
