import { scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  makeBootstrapKeys,
  proofOf,
  proveKey,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

/** The first of some made values for which a condition holds. */
function firstOf<T>(make: () => T, holds: (value: T) => boolean): T {
  for (;;) {
    const value = make()
    if (holds(value)) return value
  }
}

export default scenario({
  id: 'pull-agent.keys.zeros',
  title:
    'A pull agent keeps the zeros with which K begins, and those of a challenge and of its HMAC',
  requirements: ['AGT-VERIFY-HMAC'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.keys.derived.v-then-u',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const publicKey = await publicKeyOf(agent)
    const keys = firstOf(
      () => makeBootstrapKeys(agent),
      ({ k }) => k[0] === 0,
    )
    await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    await agent.call('ukey', { body: ukeyBody(publicKey, keys, agent.id) })
    const { derived } = await awaitDerived(agent, keys, random)
    const isDerived = check('AGT-VERIFY-HMAC', 'a proof with a K that begins with a zero byte')
      .of(derived)
      .is(true)
    if (!isDerived) return
    let number = 0
    const challenge = firstOf(
      () => String(number++).padStart(20, '0'),
      (one) => proofOf(keys, one).startsWith('0'),
    )
    const proof = await proveKey(agent, keys, challenge)
    check('AGT-VERIFY-HMAC', 'a proof, and its challenge, that begin with zeros')
      .of(proof.derived)
      .is(true)
  },
})
