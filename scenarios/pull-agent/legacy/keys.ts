import { results, scenario } from '../../../conformance/scenario.ts'
import {
  awaitDerived,
  freshNonce,
  makeBootstrapKeys,
  proofOf,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'
import { agentOfVersion } from '../support/legacy-agent.ts'

export default scenario({
  id: 'pull-agent.legacy.keys',
  title: 'A pull agent of API 2.0 takes both keys by the legacy listing, and proves K',
  requirements: [
    'LEG-AGT-VKEY-ENCRYPTED-KEY',
    'LEG-AGT-UKEY-AUTH-TAG',
    'LEG-AGT-UKEY-ENCRYPTED-KEY',
    'LEG-AGT-VERIFY-CHALLENGE',
  ],
  role: 'pull_agent',
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { random, check } = context
    const agent = await agentOfVersion(context)
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    const vkey = await agent.call('vkey', { body: vkeyBody(publicKey, keys) })
    check('LEG-AGT-VKEY-ENCRYPTED-KEY', 'HTTP status of the V key').of(vkey.status).is(200)
    const ukey = await agent.call('ukey', { body: ukeyBody(publicKey, keys, agent.id) })
    check('LEG-AGT-UKEY-ENCRYPTED-KEY', 'HTTP status of the U key').of(ukey.status).is(200)
    const { derived } = await awaitDerived(agent, keys, random)
    const challenge = freshNonce(random)
    const proof = await agent.call('verify', { query: { challenge } })
    check('LEG-AGT-VERIFY-CHALLENGE', 'hmac over another challenge')
      .of(results(proof, 'hmac'))
      .is(proofOf(keys, challenge))
    check('LEG-AGT-UKEY-AUTH-TAG', 'a proof with the K of the tag').of(derived).is(true)
  },
})
