import { scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'replies.agent',
  title: 'The status record of an agent has the members that the document gives it',
  requirements: [],
  replies: ['verifier.add-agent', 'verifier.read-agent', 'verifier.delete-agent'],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, checkReply }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    checkReply('verifier.add-agent', await agent.enrol())
    checkReply('verifier.read-agent', await verifier.readAgent(agent.id), [
      'a runtime policy was given',
      'no measured boot policy was given',
    ])
    checkReply('verifier.delete-agent', await verifier.deleteAgent(agent.id))
  },
})
