import { flipBit, scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.signature-flipped',
  title: 'The verifier does not accept a quote with a flipped signature bit as an identity',
  requirements: ['VER-IDENTITY-SIGNATURE'],
  role: 'verifier',
  provesFunction: true,
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const signature = (bytes: Uint8Array) => flipBit(bytes, -1) // the defect
    const quote = await identityQuote(machine, NONCE, { signature })
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    check('VER-IDENTITY-SIGNATURE', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
