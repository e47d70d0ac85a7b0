import { scenario } from '../../../conformance/scenario.ts'
import { countOf, restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.after-restart',
  title: 'The verifier polls an agent again after a restart, but no agent that was stopped',
  requirements: ['VER-POLLS', 'VER-STOP-NO-POLLING'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  alone: true,
  variantOf: 'verifier.polling.recorded',
  async run(context) {
    const { machines, verifier, check } = context
    const agent = await machines.pullAgent()
    const stopped = await machines.pullAgent()
    for (const one of [agent, stopped]) await one.recordOnce((record) => countOf(record) >= 1)
    const params = { agent_id: stopped.id }
    await verifier.call('stop', { as: verifier.admin, params })
    await stopped.answered()
    const { length: polls } = stopped.polls
    await restartVerifier(context)
    const before = countOf(await verifier.readAgent(agent.id))
    const after = await agent.recordOnce((one) => countOf(one) > before)
    check('VER-POLLS', 'attestation_count after the restart')
      .of(countOf(after))
      .matches(`above ${before}`, (count) => count > before)
    check('VER-STOP-NO-POLLING', 'polls of the agent that was stopped before the restart')
      .of(stopped.polls.length)
      .is(polls)
  },
})
