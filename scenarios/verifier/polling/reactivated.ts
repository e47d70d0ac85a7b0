import { scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

/** Quote intervals in which polls are counted. */
const INTERVALS = 4

export default scenario({
  id: 'verifier.polling.reactivated',
  title:
    'The verifier polls an agent once in each interval after it was reactivated while it was polled',
  requirements: ['VER-POLLS'],
  role: 'verifier',
  seconds: 10,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, verifier, check, observe, elapse, quoteIntervalMs, now }) {
    const agent = await machines.pullAgent()
    await agent.recordOnce((one) => countOf(one) >= 1)
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    for (let times = 0; times < 2; times++) {
      const { status } = await verifier.call('reactivate', call) // the defect
      observe('reactivate', 'status of a reactivation of an agent that is polled', status)
      // A poll that a reactivation begins at once does not count below.
      await agent.polled(agent.polls.length + 1)
    }
    const [{ length: before }, began] = [agent.polls, now()]
    await elapse(INTERVALS * quoteIntervalMs, `${INTERVALS} quote intervals are`)
    const passed = (now() - began) / quoteIntervalMs
    const most = Math.ceil(1.5 * passed) + 1
    check('VER-POLLS', `polls in ${INTERVALS} quote intervals`)
      .measured(agent.polls.length - before)
      .matches(`from 1 to ${most}`, (polls) => polls >= 1 && polls <= most)
  },
})
