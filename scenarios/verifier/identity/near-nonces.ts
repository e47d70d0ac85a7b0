import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'
import { NEAR_STATED, nearNonces } from '../support/near-nonces.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.near-nonces',
  title: 'The verifier does not accept a quote over almost the nonce as an identity',
  requirements: ['VER-IDENTITY-OTHER-NONCE', 'VER-IDENTITY-GOOD'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.softAgent({ until: 'enrolled' })
    const answerTo = async (quoted: string, nonce = NONCE) => {
      const quote = await identityQuote(machine, quoted)
      return answerIn(await verifier.verifyIdentity({ agent_uuid, nonce, quote }))
    }
    check('VER-IDENTITY-GOOD', 'valid over the nonce')
      .of(await answerTo(NONCE))
      .is(true)
    for (const quoted of nearNonces(NONCE)) {
      check('VER-IDENTITY-OTHER-NONCE', `valid over ${JSON.stringify(quoted)} for ${NONCE}`)
        .of(await answerTo(quoted)) // the defect
        .matches(...NOT_VALID)
    }
    for (const near of NEAR_STATED) {
      const stated = near(NONCE)
      check('VER-IDENTITY-OTHER-NONCE', `valid over ${NONCE} for ${JSON.stringify(stated)}`)
        .of(await answerTo(NONCE, stated)) // the defect
        .matches(...NOT_VALID)
    }
  },
})
