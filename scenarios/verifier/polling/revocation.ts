import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'
import { checkRevocations, makeRevocationKey } from '../support/revocations.ts'

export default scenario({
  id: 'verifier.polling.revocation',
  title: 'The verifier raises a revocation event for the agent of a failed quote, and for no other',
  requirements: [
    ...['EVT-REVOCATION-EXISTS', 'EVT-REVOCATION-PER-AGENT', 'EVT-REVOCATION-SIGNED'],
    ...['EVT-REVOCATION-DELIVERY', 'EVT-REVOCATION-PAYLOAD', 'EVT-REVOCATION-RECEIVERS'],
    ...['VER-STATUS-EVENT-NULL', 'VER-STATUS-EVENT-SET', 'VER-ADD-REVOCATION-KEY'],
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log'],
  async run(context) {
    const { machines, verifier, check } = context
    const key = makeRevocationKey()
    const good = await machines.pullAgent()
    const bad = await machines.pullAgent({
      members: { revocation_key: key.privatePem },
    })
    await good.recordOnce((one) => countOf(one) >= 1)
    const before = await bad.recordOnce((one) => countOf(one) >= 1)
    check('VER-STATUS-EVENT-NULL', 'last_event_id before')
      .of(results(before, 'last_event_id'))
      .is(null)
    bad.rewrite([{ does: 'unknown-file', from: 1 }])
    const failed = await bad.recordOnce((one) => typeof results(one, 'last_event_id') === 'string')
    for (const requirement of ['EVT-REVOCATION-EXISTS', 'VER-STATUS-EVENT-SET'])
      check(requirement, 'last_event_id')
        .of(results(failed, 'last_event_id'))
        .matches('a text', (id) => typeof id === 'string' && id !== '')
    await good.polled(3)
    const other = await verifier.readAgent(good.id)
    check('EVT-REVOCATION-PER-AGENT', 'last_event_id of the other agent')
      .of(results(other, 'last_event_id'))
      .is(null)
    checkRevocations(context, [good, bad], bad, key)
  },
})
