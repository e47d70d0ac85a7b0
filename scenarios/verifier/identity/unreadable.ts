import { scenario } from '../../../conformance/scenario.ts'
import { answerIn, identityQuote, NOT_VALID } from '../support/engine.ts'

const NONCE = 'Vt5g9KqW2yRn7XbC4mJa'

export default scenario({
  id: 'verifier.identity.unreadable',
  title: 'The verifier does not accept a quote that cannot be read as an identity',
  requirements: ['VER-IDENTITY-GOOD', 'VER-IDENTITY-TEXT'],
  role: 'verifier',
  since: '2.2',
  until: '2.5',
  variantOf: 'verifier.identity.valid',
  async run({ verifier, machines, check }) {
    const { id: agent_uuid, machine } = await machines.softAgent({ until: 'enrolled' })
    const right = await identityQuote(machine, NONCE)
    const [message = '', signature = '', values = ''] = right.slice(1).split(':')
    const answerTo = async (quote: string) => {
      return answerIn(await verifier.verifyIdentity({ agent_uuid, nonce: NONCE, quote }))
    }
    check('VER-IDENTITY-GOOD', 'valid of a quote')
      .of(await answerTo(right))
      .is(true)
    for (const [says, quote] of [
      ['without its letter', right.slice(1)],
      ['of the letter alone', 'r'],
      ['of two parts', `r${message}:${signature}`],
      ['of four parts', `${right}:${values}`],
      ['with an empty signature', `r${message}::${values}`],
      ['with an empty message', `r:${signature}:${values}`],
      ['with text that is no base64', `r${message}:!!!!:${values}`],
      ['of another text', 'not a quote'],
    ] as const)
      check('VER-IDENTITY-TEXT', `valid of a quote ${says}`)
        .of(await answerTo(quote)) // the defect
        .matches(...NOT_VALID)
  },
})
