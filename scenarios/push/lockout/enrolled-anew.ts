import { scenario } from '../../../conformance/scenario.ts'
import { lockedOutAgent } from '../support/engine.ts'
import { outcomeOf } from '../support/outcome-of.ts'

const ROW = 'ATT-FLAG-RECOVERS-REGISTRATION'

export default scenario({
  id: 'push.lockout.enrolled-anew',
  title: 'The verifier lets a silent agent attest again after it is deleted and added again',
  requirements: [ROW],
  role: 'verifier',
  since: '3.0',
  seconds: 12,
  async run(context) {
    const { verifier, check } = context
    const agent = await lockedOutAgent(context)
    await verifier.deleteAgent(agent.id)
    await agent.enrol()
    await agent.logIn()
    for (const says of ['', ', and again']) {
      const offered = await agent.offerInTurn()
      const isTaken = check(ROW, `capabilities POST after it was added again${says}`)
        .of(offered.status)
        .is(201)
      if (!isTaken) return
      check(ROW, `evaluation of its evidence${says}`)
        .of(await outcomeOf(agent, offered))
        .is('pass')
    }
  },
})
