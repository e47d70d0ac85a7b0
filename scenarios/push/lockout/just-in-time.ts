import { at, attributes, isSuccess, scenario } from '../../../conformance/scenario.ts'
import { inTime, sleepIntervals } from '../support/engine.ts'

/** Less than the five quote intervals after which an agent is locked out. */
const JUST_IN_TIME = 4.25
/** The agent logs in first, so that nothing but one request is left when time is short. */
const NEARLY = 3

export default scenario({
  id: 'push.lockout.just-in-time',
  title: 'The verifier accepts an agent whose last evidence is more than four quote intervals old',
  requirements: [
    ...['ATT-FLAG-BEFORE-TIMEOUT', 'ATT-EVALUATION-PASS', 'ATT-NEXT-SECONDS-NOT-NEGATIVE'],
  ],
  role: 'verifier',
  since: '3.0',
  seconds: 9,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, check, elapse, quoteIntervalMs } = context
    const [agent, slow] = [await machines.pushAgent(), await machines.pushAgent()]
    const begun = await slow.negotiate()
    const seen = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    await sleepIntervals(context, NEARLY, agent, slow)
    await elapse(JUST_IN_TIME * quoteIntervalMs - agent.silentMs(), 'the rest of the intervals is')
    check(
      'ATT-FLAG-BEFORE-TIMEOUT',
      'capabilities POST more than four quote intervals after evidence',
    )
      .of((await inTime(context, agent, () => agent.offer(agent.credentials))).status)
      .is(201)
    const late = await slow.submit(begun)
    if (isSuccess(late))
      check('ATT-NEXT-SECONDS-NOT-NEGATIVE', 'seconds_to_next_attestation of an agent that is late')
        .of(Number(at(late.body, 'meta', 'seconds_to_next_attestation')))
        .matches('0 or more', (seconds) => seconds >= 0)
  },
})
