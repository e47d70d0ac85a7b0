import { flipBit, scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'
/** Offset of the first digest: after the selections, two counts and its size. */
const FIRST_DIGEST = 4 + 16 * 8 + 4 + 4 + 2

export default scenario({
  id: 'verifier.identity.values-altered',
  title:
    'The verifier does not accept a quote with PCR values that it does not cover as an identity',
  requirements: ['VER-IDENTITY-PCR-DIGEST'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.pushAgent({ until: 'enrolled' })
    const values = (blob: Uint8Array) => flipBit(blob, 8 * FIRST_DIGEST) // the defect
    const quote = await identityQuote(machine, NONCE, { values })
    const reply = await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote })
    check('VER-IDENTITY-PCR-DIGEST', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
