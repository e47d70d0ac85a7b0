import { scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'replies.attestation',
  title: 'An attestation, at each stage, has the members that the document gives it',
  requirements: [],
  replies: ['attestation.create', 'attestation.submit', 'attestation.read', 'attestation.list'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ verifier, machines, random, checkReply }) {
    const agent = await machines.pushAgent()
    const negotiation = await agent.negotiate()
    checkReply('attestation.create', negotiation.reply, ['the stage is awaiting_evidence'])
    checkReply('attestation.submit', await agent.submit(negotiation))
    checkReply('attestation.read', await agent.verdict(negotiation), [
      'evaluation is pass',
      'the stage is verification_complete',
    ])
    await agent.machine.measure('/usr/bin/not-in-policy', random.bytes(32))
    checkReply('attestation.read', await agent.attest(), [
      'evaluation is fail',
      'the stage is verification_complete',
    ])
    const params = { agent_id: agent.id }
    const listed = await verifier.call('list-attestations', { params, as: verifier.admin })
    checkReply('attestation.list', listed)
  },
})
