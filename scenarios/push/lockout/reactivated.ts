import { attributes, REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent, SILENCE, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.reactivated',
  title: 'The verifier lets a silent agent attest again after an administrator reactivates it',
  requirements: [
    ...['ATT-FLAG-RECOVERS-ADMIN', 'ATT-FLAG-ADMIN-ROUTE', 'ATT-FLAG-TIMEOUT'],
    ...['ATT-FLAG-STAYS', 'VER-STATUS-COUNT-GROWS'],
  ],
  role: 'verifier',
  since: '3.0',
  seconds: 24,
  async run(context) {
    const { verifier, check } = context
    const lockOut = () => lockedOutAgent(context)
    const [agent, other, later] = await Promise.all([lockOut(), lockOut(), lockOut()])
    const reactivate = ({ id: agent_id }: typeof agent) =>
      verifier.call('reactivate', { as: verifier.admin, params: { agent_id } })
    const answer = await reactivate(agent)
    await reactivate(later)
    check('ATT-FLAG-ADMIN-ROUTE', 'HTTP status of the PUT of the pull model')
      .of(answer.status)
      .is(200)
    check('ATT-FLAG-RECOVERS-ADMIN', 'capabilities POST after the reactivation')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
    check('ATT-FLAG-STAYS', 'capabilities POST of another silent agent')
      .of(await other.offer(other.credentials))
      .matches(...REFUSED)
    const seen = await agent.attest()
    check('ATT-FLAG-RECOVERS-ADMIN', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    check(
      'VER-STATUS-COUNT-GROWS',
      'attestation_count of a pass before the silence and one after it',
    )
      .of(results(await verifier.readAgent(agent.id), 'attestation_count'))
      .is(2)
    // A registration before its next silence lets it in after none.
    await agent.activate(await agent.openBlob(await agent.register()))
    await agent.attest()
    await sleepIntervals(context, SILENCE, agent)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST after another silence')
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
    // Its timeout is scheduled when an attestation is received, and none was since then.
    await later.logIn()
    check('ATT-FLAG-RECOVERS-ADMIN', 'capabilities POST of an agent that waits as long first')
      .of((await later.offerInTurn()).status)
      .is(201)
  },
})
