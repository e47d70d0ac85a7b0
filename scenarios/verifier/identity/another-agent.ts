import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.another-agent',
  title: 'The verifier does not accept a quote of one agent as the identity of another',
  requirements: ['VER-IDENTITY-OTHER-AGENT'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid } = await machines.pushAgent({ until: 'enrolled' })
    const { machine } = await machines.pushAgent({ until: 'enrolled' }) // the defect
    const quote = await identityQuote(machine, NONCE)
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    check('VER-IDENTITY-OTHER-AGENT', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
