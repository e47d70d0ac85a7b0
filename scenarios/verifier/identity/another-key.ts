import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.another-key',
  title: 'The verifier does not accept a quote by another key of the same TPM as an identity',
  requirements: ['VER-IDENTITY-OTHER-KEY'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const key = await machine.createRogueAk() // the defect
    const quote = await identityQuote(machine, NONCE, { key })
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    check('VER-IDENTITY-OTHER-KEY', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
