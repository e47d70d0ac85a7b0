import { scenario } from '../../../conformance/scenario.ts'
import { awaitPayload } from '../support/agent-payload.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  publicKeyOf,
  sealPayload,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

/** Makes a payload of more than a program reads at once. */
const TIMES = 1500

export default scenario({
  id: 'pull-agent.keys.payload-delivered',
  title:
    'A pull agent delivers a payload encrypted with K once both keys have arrived, in either order',
  requirements: ['AGT-UKEY-PAYLOAD'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    const text = `a payload of the harness: ${random.uuid()}\n`
    const payload = sealPayload(keys, new TextEncoder().encode(text))
    const before = agent.payload()
    const ukey = { ...ukeyBody(publicKey, keys, agent.id), payload }
    const { status } = await agent.call('ukey', { body: ukey })
    check('AGT-UKEY-PAYLOAD', 'HTTP status of keys/ukey').of(status).is(200)
    check('AGT-UKEY-PAYLOAD', 'the payload before the V key came').of(agent.payload()).is(before)
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    const { derived } = await awaitDerived(agent, keys, random)
    check('AGT-UKEY-PAYLOAD', 'K with the payload').of(derived).is(true)
    check('AGT-UKEY-PAYLOAD', 'the payload was delivered')
      .of(await awaitPayload(agent, text))
      .is(true)
    const binary = Buffer.from(`\xff\xfe\x80${text}\0`.repeat(TIMES), 'latin1')
    const next = makeBootstrapKeys(agent)
    const sealed = { payload: sealPayload(next, binary) }
    await agent.call('vkey', { body: vkeyBody(publicKey, next) })
    const body = { ...ukeyBody(publicKey, next, agent.id), ...sealed }
    // How much an agent takes is not shown.
    if ((await agent.call('ukey', { body })).status !== 413)
      check('AGT-UKEY-PAYLOAD', 'a long payload that is no text was delivered, V first')
        .of(await awaitPayload(agent, binary.toString('latin1'), 'latin1'))
        .is(true)
    const empty = sealPayload(next, new Uint8Array())
    const again = { ...ukeyBody(publicKey, next, agent.id), payload: empty }
    check('AGT-UKEY-PAYLOAD', 'HTTP status of keys/ukey with an empty payload')
      .of((await agent.call('ukey', { body: again })).status)
      .is(200)
  },
})
