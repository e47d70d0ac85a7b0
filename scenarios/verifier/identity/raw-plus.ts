import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.raw-plus',
  title: 'The verifier answers a quote whose plus signs are not percent-encoded',
  requirements: ['VER-IDENTITY-RAW-PLUS'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    let quote = await identityQuote(machine, NONCE)
    while (!quote.includes('+')) quote = await identityQuote(machine, NONCE)
    const encode = (text: string) => encodeURIComponent(text).replaceAll('%2B', '+') // the defect
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote }, { encode })
    check('VER-IDENTITY-RAW-PLUS', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
