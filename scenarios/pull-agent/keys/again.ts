import { scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

const U_FIRST = ['ukey', 'vkey'] as const
const V_FIRST = ['vkey', 'ukey'] as const

export default scenario({
  id: 'pull-agent.keys.again',
  title:
    'A new pull agent derives K from its first two keys, and again from later ones, in either order',
  requirements: ['AGT-KEYS-SEPARATE'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  seconds: 2,
  async run({ pullAgents, random, check }) {
    const exchange = async (orders: readonly (typeof U_FIRST | typeof V_FIRST)[]) => {
      const agent = await pullAgents.fresh()
      const publicKey = await publicKeyOf(agent)
      for (const [at, order] of orders.entries()) {
        const keys = makeBootstrapKeys(agent)
        const bodies = {
          ukey: ukeyBody(publicKey, keys, agent.id),
          vkey: vkeyBody(publicKey, keys),
        }
        for (const half of order) await agent.call(half, { body: bodies[half] })
        const { derived } = await awaitDerived(agent, keys, random)
        check('AGT-KEYS-SEPARATE', `K of pair ${at + 1}, ${order[0]} first`)
          .of(derived)
          .is(true)
      }
    }
    await Promise.all([
      exchange([U_FIRST, V_FIRST, U_FIRST]),
      exchange([V_FIRST, U_FIRST, V_FIRST]),
    ])
  },
})
