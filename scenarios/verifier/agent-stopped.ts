import { isSuccess, results, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.agent-stopped',
  title:
    'The verifier stops an agent with empty results and keeps its record, and stops no unknown one',
  requirements: [
    ...['VER-STOP-200', 'VER-STOP-EMPTY-RESULTS', 'VER-STOP-KEEPS'],
    'VER-STOP-UNKNOWN-FAILS',
    'VER-STATUS-ATTESTATION-STATUS-TYPE',
  ],
  role: 'verifier',
  since: '2.1',
  until: '2.5',
  async run({ verifier, machines, version, random, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    const stopped = await verifier.call('stop', call)
    check('VER-STOP-200', 'HTTP status').of(stopped.status).is(200)
    check('VER-STOP-EMPTY-RESULTS', 'results').of(results(stopped)).is({})
    const seen = await verifier.readAgent(agent.id)
    check('VER-STOP-KEEPS', 'HTTP status of reading it').of(seen.status).is(200)
    observe('operational_state', 'of a stopped agent', results(seen, 'operational_state'))
    if (version === '2.5')
      check('VER-STATUS-ATTESTATION-STATUS-TYPE', 'attestation_status of a stopped agent')
        .of(results(seen, 'attestation_status'))
        .isOneOf(['PASS', 'FAIL', 'PENDING'])
    observe('STOPFAIL', 'attestation_status at once', results(seen, 'attestation_status'))
    const headers = { 'content-type': 'application/json' }
    const typed = await verifier.call('stop', { ...call, headers })
    observe('stop', 'status of a request with the media type of JSON and no body', typed.status)
    const again = await verifier.call('stop', call)
    observe('stop', 'status of a second stop', again.status)
    const unknown = { ...call, params: { agent_id: random.uuid() } }
    const anonymous = await verifier.call('stop', unknown) // the defect
    check('VER-STOP-UNKNOWN-FAILS', 'whether stopping an agent that was never added succeeds')
      .of(isSuccess(anonymous))
      .is(false)
    observe('stop', 'status of an agent that was never added', anonymous.status)
  },
})
