import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, type IdentityDefect, identityQuote, NOT_VALID } from '../support/engine.ts'
import { NEAR_QUOTES } from '../support/near-quotes.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.near-quotes',
  title: 'The verifier does not accept what is almost a quote of an agent as its identity',
  requirements: ['VER-IDENTITY-GOOD', ...new Set(NEAR_QUOTES.map(([requirement]) => requirement))],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.lightAgent({ until: 'enrolled' })
    const answerTo = async (defect: IdentityDefect) => {
      const quote = await identityQuote(machine, NONCE, defect)
      return answerIn(await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote }))
    }
    check('VER-IDENTITY-GOOD', 'valid of a quote')
      .of(await answerTo({}))
      .is(true)
    for (const [requirement, says, defect] of NEAR_QUOTES)
      check(requirement, `valid of a structure ${says}`)
        .of(await answerTo(defect)) // the defect
        .matches(...NOT_VALID)
  },
})
