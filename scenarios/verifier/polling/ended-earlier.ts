import { scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.polling.ended-earlier',
  title: 'The verifier stops and resumes polling also under the versions before 2.3',
  requirements: ['VER-STOP-NO-POLLING', 'VER-REACTIVATE-POLLS'],
  role: 'verifier',
  seconds: 4,
  since: '2.1',
  until: '2.2',
  needs: ['pull_mode'],
  async run({ machines, verifier, check, elapse, quoteIntervalMs }) {
    const agent = await machines.pullAgent()
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    const { length: first } = await agent.polled(1)
    check('VER-REACTIVATE-POLLS', 'polls before the stop')
      .of(first)
      .matches('at least 1', (count) => count >= 1)
    await verifier.call('stop', call)
    const most = agent.polls.length + 1 // one may be under way
    await elapse(2 * quoteIntervalMs, 'two quote intervals are')
    const { length: stopped } = agent.polls
    check('VER-STOP-NO-POLLING', 'polls of the stopped agent')
      .of(stopped)
      .matches(`at most ${most}`, (count) => count <= most)
    await verifier.call('reactivate', call)
    const { length: again } = await agent.polled(stopped + 1)
    check('VER-REACTIVATE-POLLS', 'polls of the one that was started again')
      .of(again)
      .matches(`more than ${stopped}`, (count) => count > stopped)
  },
})
