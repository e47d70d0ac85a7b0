import {
  ANONYMOUS,
  attributes,
  isSuccess,
  REFUSED,
  results,
  scenario,
} from '../../../../conformance/scenario.ts'

const [, isRefused] = REFUSED

export default scenario({
  id: 'push.evidence.after-stop',
  title: 'The verifier passes no attestation of a stopped agent',
  requirements: [
    ...['ATT-EVALUATION-PASS', 'ATT-STOPPED-FAILS', 'VER-STOP-FAILS'],
    ...['AUT-AGENT-READS-OWN', 'AUT-OPEN-SESSION-ANONYMOUS'],
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.after-reactivation',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.pushAgent()
    check('ATT-EVALUATION-PASS', 'evaluation before the stop')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
    const waiting = await agent.negotiate()
    const params = { agent_id: agent.id }
    await verifier.call('stop', { as: verifier.admin, params }) // the defect: the agent is not reactivated
    check('AUT-AGENT-READS-OWN', 'its latest attestation, with the token of before')
      .of(await verifier.attestation(agent.id, 'latest', agent.credentials))
      .matches('a success', isSuccess)
    check('AUT-OPEN-SESSION-ANONYMOUS', 'HTTP status of a session for it')
      .of((await agent.openSession({}, ANONYMOUS)).status)
      .is(200)
    const late = await agent.submit(waiting)
    check('ATT-STOPPED-FAILS', 'outcome of evidence that was requested before the stop')
      .of(isRefused(late) ? 'refused' : attributes(await agent.verdict(waiting), 'evaluation'))
      .isOneOf(['refused', 'fail'])
    const begun = await agent.offerInTurn()
    observe('STOPFAIL', 'status of the capabilities POST of a stopped agent', begun.status)
    const outcome = isRefused(begun) ? 'refused' : attributes(await agent.attest(), 'evaluation')
    check('ATT-STOPPED-FAILS', 'outcome of an attestation').of(outcome).isOneOf(['refused', 'fail'])
    const status = results(await verifier.readAgent(agent.id), 'attestation_status')
    observe('STOPFAIL', 'attestation_status after the attempt', status)
    check('VER-STOP-FAILS', 'whether the record or the attempt reports a failure')
      .of(status === 'FAIL' || outcome === 'refused' || outcome === 'fail')
      .is(true)
  },
})
