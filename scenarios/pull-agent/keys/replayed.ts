import { scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  freshNonce,
  giveKeys,
  makeBootstrapKeys,
  proveKey,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.keys.replayed',
  title: 'A pull agent keeps its K when keys are sent again',
  requirements: ['AGT-KEYS-REPLAYED', 'AGT-KEYS-REPLACED'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.shared()
    const [publicKey, first, second] = [
      await publicKeyOf(agent),
      makeBootstrapKeys(agent),
      makeBootstrapKeys(agent),
    ]
    const bodies = {
      ukey: ukeyBody(publicKey, first, agent.id),
      vkey: vkeyBody(publicKey, first),
    }
    await agent.call('ukey', { body: bodies.ukey })
    await agent.call('vkey', { body: bodies.vkey })
    await awaitDerived(agent, first, random)
    await agent.call('vkey', { body: bodies.vkey })
    const kept = await proveKey(agent, first, freshNonce(random))
    check('AGT-KEYS-REPLAYED', 'K after the same V key again').of(kept.derived).is(true)
    await agent.call('ukey', { body: bodies.ukey })
    const same = await awaitDerived(agent, first, random)
    check('AGT-KEYS-REPLAYED', 'K after the same U key again').of(same.derived).is(true)
    await giveKeys(agent, second, random)
    const replaced = await proveKey(agent, second, freshNonce(random))
    check('AGT-KEYS-REPLACED', 'K after other keys')
      .of(replaced.derived ? 'the new one' : 'the old one')
      .isOneOf(['the new one', 'the old one'])
    observe('KREPLACED', 'K after other keys', replaced.derived ? 'the new one' : 'the old one')
  },
})
