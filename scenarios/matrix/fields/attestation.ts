import { scenario } from '../../../conformance/scenario.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.attestation',
  title: 'The verifier returns an attestation with the members of the document at each stage',
  ...fieldsOf(['attestation.create', 'attestation.submit', 'attestation.read', 'attestation.list']),
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ verifier, machines, random, checkReply }) {
    const list = (agent_id: string) =>
      verifier.call('list-attestations', { params: { agent_id }, as: verifier.admin })

    const agent = await machines.pushAgent()
    const negotiation = await agent.negotiate()
    checkReply('attestation.create', negotiation.reply, ['the stage is awaiting_evidence'])
    checkReply('attestation.list', await list(agent.id), ['the stage is awaiting_evidence'])
    checkReply('attestation.submit', await agent.submit(negotiation))
    const passed = ['evaluation is pass', 'the stage is verification_complete'] as const
    checkReply('attestation.read', await agent.verdict(negotiation), passed)
    checkReply('attestation.list', await list(agent.id), passed)

    const other = await machines.pushAgent()
    await other.machine.measure('/usr/bin/not-in-policy', random.bytes(32))
    const failed = ['evaluation is fail', 'the stage is verification_complete'] as const
    checkReply('attestation.read', await other.attest(), failed)
    checkReply('attestation.list', await list(other.id), failed)
  },
})
