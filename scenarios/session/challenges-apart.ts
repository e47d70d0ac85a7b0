import { attributes, scenario } from '../../conformance/scenario.ts'
import { LITTLE_ALIKE, longestAlike } from './support/engine.ts'

/** Sessions of each agent. */
const TIMES = 4

export default scenario({
  id: 'session.challenges-apart',
  title: 'The verifier chooses challenges of sessions that have nothing in common',
  requirements: ['SES-CHALLENGE-FRESH'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const [agent, other] = [
      await machines.softAgent({ until: 'enrolled' }),
      await machines.softAgent({ until: 'enrolled' }),
    ]
    const challenges: Uint8Array[] = []
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
        challenges.push(Buffer.from(String(challenge), 'base64'))
      }
    check(
      'SES-CHALLENGE-FRESH',
      'equal bytes in a row of two challenges: no counter, no time, no other agent',
    )
      .of(longestAlike(challenges))
      .matches(...LITTLE_ALIKE)
  },
})
