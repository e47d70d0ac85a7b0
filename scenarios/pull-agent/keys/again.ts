import { scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  publicKeyOf,
  sealPayload,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

type Half = 'ukey' | 'vkey'
type Keys = ReturnType<typeof makeBootstrapKeys>

const PAYLOAD = new TextEncoder().encode('a payload of the harness\n')

const U_FIRST: readonly Half[] = ['ukey', 'vkey']
const V_FIRST: readonly Half[] = ['vkey', 'ukey']

/** Halves of other pairs, each of a pair of its own, and the order of a pair that follows. */
interface Pair {
  readonly after: readonly Half[]
  readonly order: readonly Half[]
}

/** What each of some new agents receives. */
const AGENTS: readonly (readonly Pair[])[] = [
  [
    { after: [], order: U_FIRST },
    { after: [], order: V_FIRST },
    { after: ['ukey'], order: V_FIRST },
    { after: ['vkey'], order: U_FIRST },
  ],
  [
    { after: U_FIRST, order: V_FIRST },
    { after: U_FIRST, order: U_FIRST },
    { after: V_FIRST, order: V_FIRST },
  ],
  [
    { after: ['vkey'], order: V_FIRST },
    { after: ['ukey'], order: U_FIRST },
  ],
]

export default scenario({
  id: 'pull-agent.keys.again',
  title:
    'A pull agent derives K from its first two keys and from later ones, in either order, after unmatched halves too',
  requirements: ['AGT-KEYS-SEPARATE'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  seconds: 2,
  async run({ pullAgents, random, check }) {
    const exchange = async (pairs: readonly Pair[]) => {
      const agent = await pullAgents.fresh()
      const publicKey = await publicKeyOf(agent)
      const send = (half: Half, keys: Keys, payload?: string) => {
        const ukey = { ...ukeyBody(publicKey, keys, agent.id), ...(payload && { payload }) }
        return agent.call(half, { body: half === 'ukey' ? ukey : vkeyBody(publicKey, keys) })
      }
      // The payload of an unmatched U key belongs to it alone.
      const sendUnmatched = (half: Half) => {
        const keys = makeBootstrapKeys(agent)
        return send(half, keys, sealPayload(keys, PAYLOAD))
      }
      for (const [at, { after, order }] of pairs.entries()) {
        for (const half of after) await sendUnmatched(half)
        const keys = makeBootstrapKeys(agent)
        for (const half of order) await send(half, keys)
        const { derived } = await awaitDerived(agent, keys, random)
        check(
          'AGT-KEYS-SEPARATE',
          `K of pair ${at + 1}, ${order[0]} first, after ${after.length} unmatched halves`,
        )
          .of(derived)
          .is(true)
      }
    }
    await Promise.all(AGENTS.map(exchange))
  },
})
