import { scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.pull-agent',
  title: 'A pull agent returns its information and quotes with the members of the document',
  ...fieldsOf(['agent.info', 'agent.pubkey', 'agent.integrity', 'agent.identity']),
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, version, checkReply }) {
    const agent = await pullAgents.shared()
    const nonce = freshNonce(random)
    if (version !== '2.1') checkReply('agent.info', await agent.call('info'))
    checkReply('agent.pubkey', await agent.call('pubkey'))
    checkReply('agent.identity', await agent.identity(nonce))
    checkReply('agent.integrity', await agent.integrity({ nonce, mask: '0x401', partial: '0' }), [
      'partial is 0',
      'PCR 10 is in the mask',
      'PCR 0 is in the mask',
    ])
  },
})
