import { isSuccess, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'

/** Nonces that differ in form from those of verifiers and tenants. */
const NONCES = [
  { says: 'no character', of: () => '' },
  { says: 'one character', of: (letters: string) => letters.slice(0, 1) },
  { says: '19 characters', of: (letters: string) => letters.slice(0, 19) },
  { says: '21 characters', of: (letters: string) => letters.slice(0, 21) },
  { says: '64 characters', of: (letters: string) => letters.slice(0, 64) },
  { says: '65 characters', of: (letters: string) => letters.slice(0, 65) },
  { says: '4,096 characters', of: (letters: string) => letters.repeat(64).slice(0, 4096) },
  // Hexadecimal too, and a number.
  { says: '20 digits', of: () => '01234567890123456789' },
  { says: '20 letters with accents', of: () => 'é'.repeat(20) },
  { says: '20 ideographs', of: () => '漢'.repeat(20) },
  { says: 'a blank', of: (letters: string) => `${letters.slice(0, 10)} ${letters.slice(0, 9)}` },
  { says: 'a blank at each end', of: (letters: string) => ` ${letters.slice(0, 18)} ` },
  { says: 'a line break at its end', of: (letters: string) => `${letters.slice(0, 19)}\n` },
  { says: 'a slash', of: (letters: string) => `${letters.slice(0, 10)}/${letters.slice(0, 9)}` },
  {
    says: 'a byte of zero',
    of: (letters: string) => `${letters.slice(0, 10)}\0${letters.slice(0, 9)}`,
  },
  { says: 'a percent sign', of: () => '%41'.repeat(6) },
]

export default scenario({
  id: 'pull-agent.quote.nonces',
  title: 'A pull agent refuses an unusual nonce or quotes it unchanged',
  requirements: [
    ...quoteRequirements('IDENTITY'),
    'AGT-NONCE-FORM',
    'AGT-NONCE-IN-QUOTE',
    'AGT-NONCE-ENFORCED',
  ],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check, observe } = context
    const agent = await pullAgents.shared()
    const usual = freshNonce(random)
    const served = await agent.identity(usual)
    check('AGT-NONCE-FORM', 'a nonce of 20 letters and digits').of(served.status).is(200)
    for (const { says, of } of NONCES) {
      const nonce = of(freshNonce(random, 65))
      const reply = await agent.identity(nonce)
      observe('NONCELEN', `a nonce of ${says}`, reply.status)
      check('AGT-NONCE-ENFORCED', `a nonce of ${says}`)
        .of(reply)
        .meets({
          accepted: ({ status }) => status === 200,
          refused: ({ status = 0 }) => status >= 400 && status < 500,
        })
      if (!isSuccess(reply)) continue
      const { nonce: inside } = await checkQuote(context, agent, reply, 'IDENTITY', { nonce })
      check('AGT-NONCE-IN-QUOTE', `a nonce of ${says}`).of(inside).isOneOf(['text', 'decoded'])
    }
  },
})
