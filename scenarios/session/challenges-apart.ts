import { attributes, scenario } from '../../conformance/scenario.ts'
import { LITTLE_ALIKE, longestAlike } from './support/engine.ts'

const BASE64 = /^(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Sessions of each agent: so many that their challenges have a `+` or a `/`. */
const TIMES = 4

export default scenario({
  id: 'session.challenges-apart',
  title:
    'The verifier chooses challenges of sessions in base64 that have nothing in common, and keeps each valid',
  requirements: ['SES-CHALLENGE', 'SES-CHALLENGE-FRESH', 'SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const [agent, other] = [
      await machines.softAgent({ until: 'enrolled' }),
      await machines.softAgent({ until: 'enrolled' }),
    ]
    const texts: string[] = []
    const first = await agent.openSession()
    for (let time = 0; time < TIMES; time++)
      for (const one of [agent, other]) {
        const session = await one.openSession()
        const challenge = attributes(
          session,
          'authentication_requested',
          0,
          'chosen_parameters',
          'challenge',
        )
        texts.push(String(challenge))
      }
    check('SES-CHALLENGE', 'challenges')
      .of(texts)
      .matches('base64 texts, with their padding', (all) => all.every((text) => BASE64.test(text)))
    check(
      'SES-CHALLENGE-FRESH',
      'equal bytes in a row of two challenges: no counter, no time, no other agent',
    )
      .of(longestAlike(texts.map((text) => Buffer.from(text, 'base64'))))
      .matches(...LITTLE_ALIKE)
    check('SES-PASS-EVALUATION', `evaluation of a proof for a session before ${TIMES} others`)
      .of(attributes(await agent.proveSession(first), 'evaluation'))
      .is('pass')
  },
})
