import { isRefusal, REFUSED, scenario } from '../../../conformance/scenario.ts'
import { editMember } from '../support/edit-member.ts'
import { collectEvidence, SILENCE, sleepIntervals } from '../support/engine.ts'

export default scenario({
  id: 'push.lockout.refused-evidence',
  title: 'The verifier does not take evidence that it refuses for a sign of life',
  requirements: ['ATT-FLAG-TIMEOUT'],
  role: 'verifier',
  since: '3.0',
  seconds: 13,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { machines, verifier, check, elapse, quoteIntervalMs } = context
    const agent = await machines.pushAgent()
    const begun = await agent.negotiate()
    await agent.submit(begun)
    await agent.verdict(begun)
    // The last capabilities: the time may begin with these too (ambiguity TIMERSTART).
    const next = await agent.negotiate()
    await sleepIntervals(context, 2, agent)
    const evidence = await collectEvidence(agent.machine, next, {}, verifier.dialect)
    const quote = ['data', 'attributes', 'evidence_collected', 'tpm_quote']
    const body = editMember(evidence, quote, undefined) // the defect
    const params = { agent_id: agent.id, index: next.index }
    const as = agent.credentials
    // A verifier may take it, and fail it: then it is an attestation, and the silence begins with it.
    const taken = isRefusal(await verifier.call('submit', { as, params, body })) ? 0 : 2
    await sleepIntervals(context, 2, agent)
    check('ATT-FLAG-TIMEOUT', 'the same evidence again, four quote intervals later')
      .of(await agent.submit(begun)) // the defect
      .matches(...REFUSED)
    await elapse((SILENCE - 4 + taken) * quoteIntervalMs, 'the rest of the intervals is')
    await agent.logIn()
    check('ATT-FLAG-TIMEOUT', `capabilities POST ${SILENCE} quote intervals after evidence`)
      .of(await agent.offer(agent.credentials))
      .matches(...REFUSED)
  },
})
