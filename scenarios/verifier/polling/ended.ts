import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.ended',
  title: 'The verifier stops polling a stopped or deleted agent, and resumes after a reactivation',
  requirements: [
    ...['VER-STOP-NO-POLLING', 'VER-DELETE-TERMINATES', 'VER-REACTIVATE-POLLS'],
    ...['VER-DELETE-ONLY-ONE', 'VER-DELETE-200', 'VER-STOP-KEEPS'],
  ],
  replies: ['verifier.read-agent'],
  role: 'verifier',
  seconds: 6,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, verifier, check, checkReply, observe, elapse, quoteIntervalMs }) {
    const as = { as: verifier.admin }
    const makeOne = () => machines.pullAgent()
    const [stopped, deleted, other] = await Promise.all([makeOne(), makeOne(), makeOne()])
    for (const agent of [stopped, other, deleted])
      await agent.recordOnce((one) => countOf(one) >= 1)
    const counted = countOf(await verifier.readAgent(deleted.id))
    await deleted.recordOnce((one) => countOf(one) > counted)
    const gone = await verifier.deleteAgent(deleted.id) // the defect: between two polls
    const makeLate = () => machines.pullAgent({ script: [{ does: 'late-answer', from: 1 }] })
    const busy = await makeLate()
    await busy.polled(1)
    const during = await verifier.deleteAgent(busy.id) // the defect: during a poll
    busy.rewrite([])
    const late = await makeLate()
    await late.polled(1)
    await verifier.call('stop', { ...as, params: { agent_id: late.id } }) // the defect: during a poll
    late.rewrite([])
    const call = { ...as, params: { agent_id: stopped.id } }
    await verifier.call('stop', call) // the defect
    await late.answered()
    const { length: asked } = late.polls
    const before = [stopped, deleted, other].map(({ polls }) => polls.length)
    // A verifier that takes over agents of others looks for them less often than it polls.
    await elapse(3 * quoteIntervalMs, 'three quote intervals are')
    const after = [stopped, deleted, other].map(({ polls }) => polls.length)
    // A poll under way at that moment may still arrive.
    const most = before.map((count) => count + 1)
    check('VER-STOP-NO-POLLING', 'polls of the stopped agent')
      .of(after[0] ?? 0)
      .matches(`at most ${most[0]}`, (count) => count <= (most[0] ?? 0))
    check('VER-STOP-NO-POLLING', 'polls of the agent that was stopped during its first poll')
      .of(late.polls.length)
      .is(asked)
    check('VER-DELETE-TERMINATES', 'polls of the deleted agent')
      .of(after[1] ?? 0)
      .matches(`at most ${most[1]}`, (count) => count <= (most[1] ?? 0))
    check('VER-DELETE-ONLY-ONE', 'polls of the other agent')
      .of(after[2] ?? 0)
      .matches(`more than ${before[2]}`, (count) => count > (before[2] ?? 0))
    const last = await verifier.deleteAgent(late.id)
    check(
      'VER-DELETE-200',
      'HTTP statuses of deleting an agent during a poll, one between two polls and a stopped one',
    )
      .of([during, gone, last].map(({ status }) => status))
      .is([200, 200, 200])
    const seen = await verifier.readAgent(stopped.id)
    check('VER-STOP-KEEPS', 'HTTP status of reading the stopped agent').of(seen.status).is(200)
    check('VER-STOP-KEEPS', 'attestation_count of the stopped agent')
      .of(countOf(seen))
      .matches('at least 1, as before', (count) => count >= 1)
    observe('operational_state', 'of a stopped agent', results(seen, 'operational_state'))
    await verifier.call('reactivate', call)
    const again = await stopped.polled((after[0] ?? 0) + 1)
    check('VER-REACTIVATE-POLLS', 'polls of the one that was started again')
      .of(again.length)
      .matches(`more than ${after[0]}`, (count) => count > (after[0] ?? 0))
    const record = await stopped.recordOnce((one) => countOf(one) >= 2)
    checkReply('verifier.read-agent', record)
    observe('operational_state', 'of a reactivated agent', results(record, 'operational_state'))
  },
})
