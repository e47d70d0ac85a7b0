import { isSuccess, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-reactivated',
  title: 'The verifier reactivates a stopped agent with empty results, and no unknown one',
  requirements: [
    'VER-REACTIVATE-200',
    'VER-REACTIVATE-EMPTY-RESULTS',
    'VER-REACTIVATE-UNKNOWN-FAILS',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, random, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    await verifier.call('stop', call)
    const started = await verifier.call('reactivate', call)
    check('VER-REACTIVATE-200', 'HTTP status').of(started.status).is(200)
    check('VER-REACTIVATE-EMPTY-RESULTS', 'results').of(results(started)).is({})
    const seen = await verifier.readAgent(agent.id)
    observe('operational_state', 'of a reactivated agent', results(seen, 'operational_state'))
    const again = await verifier.call('reactivate', call)
    observe('reactivate', 'status of a second reactivation', again.status)
    const unknown = { ...call, params: { agent_id: random.uuid() } }
    const anonymous = await verifier.call('reactivate', unknown) // the defect
    check('VER-REACTIVATE-UNKNOWN-FAILS', 'whether starting an agent that was never added succeeds')
      .of(isSuccess(anonymous))
      .is(false)
    observe('reactivate', 'status of an agent that was never added', anonymous.status)
  },
})
