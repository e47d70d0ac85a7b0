import { scenario } from '../../../conformance/scenario.ts'
import { LITTLE_ALIKE, longestAlike } from '../support/engine.ts'

/** Attestations of each agent. */
const TIMES = 3

export default scenario({
  id: 'push.attestation.challenges-apart',
  title: 'The verifier chooses challenges of attestations that have nothing in common',
  requirements: ['ATT-CHALLENGE-FRESH'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ machines, check }) {
    const agents = [await machines.softAgent(), await machines.softAgent()]
    const challenges: Uint8Array[] = []
    for (let time = 0; time < TIMES; time++)
      for (const agent of agents) challenges.push((await agent.negotiate()).challenge)
    check(
      'ATT-CHALLENGE-FRESH',
      'equal bytes in a row of two challenges: no counter, no time, no other agent',
    )
      .of(longestAlike(challenges))
      .matches(...LITTLE_ALIKE)
  },
})
