import { scenario } from '../../../conformance/scenario.ts'
import {
  freshNonce,
  giveKeys,
  makeBootstrapKeys,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.pull-agent-keys',
  title: 'A pull agent replies to requests for its keys with the members of the document',
  ...fieldsOf(['agent.ukey', 'agent.vkey', 'agent.verify']),
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, checkReply }) {
    const agent = await pullAgents.shared()
    const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
    const { call, id } = agent
    checkReply('agent.ukey', await call('ukey', { body: ukeyBody(publicKey, keys, id) }))
    checkReply('agent.vkey', await call('vkey', { body: vkeyBody(publicKey, keys) }))
    await giveKeys(agent, makeBootstrapKeys(agent), random)
    const challenge = freshNonce(random)
    checkReply('agent.verify', await call('verify', { query: { challenge } }))
  },
})
