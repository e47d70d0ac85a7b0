import { results, scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.another-nonce',
  title: 'The verifier does not accept a quote over another nonce as an identity',
  requirements: ['VER-IDENTITY-OTHER-NONCE', 'VER-IDENTITY-INVALID-STATUS'],
  role: 'verifier',
  provesFunction: true,
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, version, check, observe }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const quote = await identityQuote(machine, 'AnotherNonce12345678') // the defect
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    const valid = results(reply, 'valid')
    check('VER-IDENTITY-OTHER-NONCE', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
    if (version !== '2.5') {
      check('VER-IDENTITY-INVALID-STATUS', 'HTTP status').of(reply.status).is(200)
      check('VER-IDENTITY-INVALID-STATUS', 'valid').of(valid).is(0)
    }
    observe('verify/identity', 'members other than valid', Object.keys(Object(results(reply))))
  },
})
