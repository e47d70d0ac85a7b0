import { scenario } from '../../../conformance/scenario.ts'
import { identityQuote } from '../support/engine.ts'
import { fieldsOf } from '../support/fields-part.ts'

const NONCE = 'Kd2vT8hWq5NxRb3LmZ7c'

export default scenario({
  id: 'matrix.fields.identity',
  title: 'The verifier replies to verify/identity, valid or not, with the members of the document',
  ...fieldsOf(['verifier.verify-identity']),
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  async run({ verifier, machines, checkReply }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const quote = await identityQuote(machine, NONCE)
    for (const nonce of [NONCE, NONCE.toLowerCase()]) {
      const reply = await verifier.verifyIdentity({ agent_uuid, nonce, quote })
      checkReply('verifier.verify-identity', reply)
    }
  },
})
