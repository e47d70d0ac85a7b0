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

export default scenario({
  id: 'pull-agent.keys.payload-of-another-key',
  title:
    'A payload that another key encrypted is not delivered, and what was delivered stays or goes',
  requirements: ['AGT-UKEY-PAYLOAD-OTHER-KEY'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.payload-delivered',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const publicKey = await publicKeyOf(agent)
    const send = async (text: string, sealedBy?: ReturnType<typeof makeBootstrapKeys>) => {
      const keys = makeBootstrapKeys()
      const payload = sealPayload(sealedBy ?? keys, new TextEncoder().encode(text))
      await agent.call('ukey', { body: { ...ukeyBody(publicKey, keys, agent.id), payload } })
      await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    }
    const good = `a payload of the judge: ${random.uuid()}\n`
    await send(good)
    await awaitPayload(agent, good)
    await send('a payload of somebody else\n', makeBootstrapKeys()) // the defect
    // Keys that come after are joined after.
    await giveKeys(agent, makeBootstrapKeys(), random)
    check('AGT-UKEY-PAYLOAD-OTHER-KEY', 'what is delivered')
      .of(agent.payload())
      .isOneOf([good, undefined])
  },
})
