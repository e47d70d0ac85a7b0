import { attributes, scenario } from '../../conformance/scenario.ts'
import { NO_TOKEN } from './support/engine.ts'

const AT_ONCE = 8

export default scenario({
  id: 'session.proofs-in-parallel',
  title: 'The verifier issues one token for concurrent valid proofs of one challenge',
  requirements: ['SES-PROOF-REPLAYED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const proof = await agent.makeProof(await agent.openSession())
    const sent = Array.from({ length: AT_ONCE }, () => agent.sendProof(proof)) // the defect
    const answers = await Promise.all(sent)
    const tokens = answers.filter((answer) => typeof attributes(answer, 'token') === 'string')
    check('SES-PROOF-REPLAYED', `tokens for ${AT_ONCE} proofs of one challenge`)
      .of(tokens.length)
      .is(1)
    for (const answer of answers.filter((each) => !tokens.includes(each)))
      check('SES-PROOF-REPLAYED', 'one of the other answers')
        .of(answer)
        .matches(...NO_TOKEN)
  },
})
