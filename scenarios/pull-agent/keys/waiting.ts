import { scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  publicKeyOf,
  sealPayload,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

type Ukey = Readonly<Record<string, string>>

export default scenario({
  id: 'pull-agent.keys.waiting',
  title: 'A pull agent keeps the half that waits when it refuses the other one',
  requirements: ['AGT-KEYS-SEPARATE'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.derived.v-then-u',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const publicKey = await publicKeyOf(agent)
    const text = new TextEncoder().encode('a payload of another client\n')
    /** U keys that an agent may refuse. */
    const REFUSED: Readonly<Record<string, (ukey: Ukey) => Ukey>> = {
      'with a payload of another key': (ukey) => {
        return { ...ukey, payload: sealPayload(makeBootstrapKeys(agent), text) }
      },
      'that cannot be read': ({ auth_tag = '' }) => ({ auth_tag }),
    }
    for (const [says, mutate] of Object.entries(REFUSED)) {
      const keys = makeBootstrapKeys(agent)
      const ukey = ukeyBody(publicKey, keys, agent.id)
      await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
      await agent.call('ukey', { body: mutate(ukey) }) // the defect
      await agent.call('ukey', { body: ukey })
      check('AGT-KEYS-SEPARATE', `K of a V key after a U key ${says}`)
        .of((await awaitDerived(agent, keys, random)).derived)
        .is(true)
    }
    const keys = makeBootstrapKeys(agent)
    await agent.call('ukey', { body: ukeyBody(publicKey, keys, agent.id) })
    await agent.call('vkey', { body: {} }) // the defect
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    check('AGT-KEYS-SEPARATE', 'K of a U key after a V key that cannot be read')
      .of((await awaitDerived(agent, keys, random)).derived)
      .is(true)
  },
})
