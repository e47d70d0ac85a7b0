import { attributes, scenario } from '../../../conformance/scenario.ts'
import { restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'push.after-restart.challenge-fresh',
  title:
    'The verifier accepts evidence over a new challenge after a restart, and leaves the deadline of the one before',
  requirements: ['ATT-EVALUATION-PASS', 'ATT-INDEX-INCREMENTS', 'ATT-TIME-EXPIRE-STABLE'],
  role: 'verifier',
  since: '3.0',
  alone: true,
  async run(context) {
    const { machines, verifier, check } = context
    const agent = await machines.pushAgent()
    const before = await agent.negotiate()
    const expiry = attributes(before.reply, 'challenges_expire_at')
    await restartVerifier(context)
    const waiting = await verifier.attestation(agent.id, before.index)
    check('ATT-TIME-EXPIRE-STABLE', 'challenges_expire_at after the restart')
      .of(attributes(waiting, 'challenges_expire_at'))
      .is(expiry)
    await agent.logIn()
    const after = await agent.negotiate()
    check('ATT-INDEX-INCREMENTS', 'index of the attestation after the restart')
      .of(Number(after.index))
      .is(Number(before.index) + 1)
    await agent.submit(after)
    const seen = await agent.verdict(after)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
