import { REFUSED, results, scenario } from '../../../conformance/scenario.ts'
import { SILENCE, sleepIntervals } from '../support/engine.ts'

/** Quote intervals after the first refusal. */
const MORE = 2

export default scenario({
  id: 'push.lockout.silent',
  title: 'The verifier refuses an agent with 403 after five quote intervals without evidence',
  requirements: [
    ...['ATT-FLAG-TIMEOUT', 'ATT-FLAG-403', 'ATT-FLAG-MONITOR', 'ATT-FLAG-VISIBLE'],
    ...['VER-STATUS-ATTESTATION-STATUS-TYPE', 'AUT-AGENT-READS-OWN'],
  ],
  role: 'verifier',
  since: '3.0',
  seconds: 16,
  variantOf: 'push.lockout.in-time',
  async run(context) {
    const { verifier, machines, check, observe } = context
    const agent = await machines.pushAgent()
    // It registered twice before its silence: no earlier registration lets it in again.
    await agent.activate(await agent.openBlob(await agent.register()))
    // Twice, since each evidence starts the time anew and does not add to it.
    await agent.attest()
    await agent.attest()
    await sleepIntervals(context, SILENCE, agent) // the defect
    const begun = await agent.offer(agent.credentials)
    check('ATT-FLAG-TIMEOUT', 'capabilities POST five and a half quote intervals after evidence')
      .of(begun)
      .matches(...REFUSED)
    check('ATT-FLAG-403', 'HTTP status').of(begun.status).is(403)
    check('ATT-FLAG-MONITOR', 'HTTP status, with no read of the agent in between')
      .of(begun.status)
      .isNot(201)
    await sleepIntervals(context, MORE, agent)
    check('ATT-FLAG-403', `HTTP status ${MORE} quote intervals later`)
      .of((await agent.offer(agent.credentials)).status)
      .is(403)
    check('AUT-AGENT-READS-OWN', 'HTTP status of its latest attestation, with its token')
      .of((await verifier.attestation(agent.id, 'latest', agent.credentials)).status)
      .is(200)
    const record = await verifier.readAgent(agent.id)
    check('ATT-FLAG-VISIBLE', 'accept_attestations of the record, where it is shown')
      .of(results(record, 'accept_attestations') ?? null)
      .meets({
        'the 403 alone': (shown) => shown === null,
        'a record too': (shown) => shown === false || shown === 0,
      })
    const status = results(record, 'attestation_status')
    check('VER-STATUS-ATTESTATION-STATUS-TYPE', 'attestation_status of a silent agent')
      .of(status)
      .isOneOf(['PASS', 'FAIL', 'PENDING'])
    observe('FLAGVIS', 'attestation_status of a silent agent', status)
  },
})
