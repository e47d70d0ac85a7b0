import { attributes, scenario } from '../../../conformance/scenario.ts'
import { bearing, NO_TOKEN, restartVerifier, tokenOf } from '../support/engine.ts'
import { challengeIn } from '../support/repeated.ts'

export default scenario({
  id: 'session.after-restart.proof-replayed',
  title:
    'The verifier issues no token for a proof used before its restart, keeps a token valid, and repeats no challenge',
  requirements: [
    ...['SES-PASS-EVALUATION', 'SES-PROOF-REPLAYED', 'SES-CHALLENGE-FRESH'],
    ...['SES-TOKEN-WORKS', 'SES-TOKEN-LATER-REQUESTS'],
  ],
  role: 'verifier',
  since: '3.0',
  alone: true,
  variantOf: 'session.after-restart.proof-fresh',
  async run(context) {
    const { verifier, machines, check } = context
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const proof = await agent.makeProof(await agent.openSession())
    const proven = await agent.sendProof(proof)
    const passed = check('SES-PASS-EVALUATION', 'evaluation')
      .of(attributes(proven, 'evaluation'))
      .is('pass')
    if (!passed) return
    const credentials = bearing(tokenOf(proven))
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST')
      .of((await agent.offer(credentials)).status)
      .is(201)
    // Numbers of a generator without a seed begin anew with each start, so the sessions come first.
    const firstChallenge = async () => {
      await restartVerifier(context)
      return challengeIn(await agent.openSession(), 'authentication_requested')
    }
    const first = await firstChallenge()
    check('SES-PROOF-REPLAYED', 'the same proof after the restart')
      .of(await agent.sendProof(proof)) // the defect
      .matches(...NO_TOKEN)
    check('SES-TOKEN-LATER-REQUESTS', 'capabilities POST with the same token after a restart')
      .of((await verifier.patiently(() => agent.offer(credentials))).status)
      .is(201)
    check('SES-CHALLENGE-FRESH', 'the first challenge after another restart')
      .of(await firstChallenge())
      .isNot(first)
  },
})
