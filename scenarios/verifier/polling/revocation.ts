import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'
import { checkRevocations, makeRevocationKey } from '../support/revocations.ts'

export default scenario({
  id: 'verifier.polling.revocation',
  title: 'The verifier raises a revocation event for the agent of a failed quote, and for no other',
  requirements: [
    ...['EVT-REVOCATION-EXISTS', 'EVT-REVOCATION-PER-AGENT', 'EVT-REVOCATION-SIGNED'],
    ...['VER-STATUS-EVENT-NULL', 'VER-STATUS-EVENT-SET', 'VER-ADD-REVOCATION-KEY'],
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  async run(context) {
    const { machines, verifier, check } = context
    const keys = [makeRevocationKey(0), makeRevocationKey(1)] as const
    const good = await machines.pullAgent()
    const [bad, second] = await Promise.all(
      keys.map(({ privatePem: revocation_key }) =>
        machines.pullAgent({ members: { revocation_key, metadata: '{"place":"Zürich 東"}' } }),
      ),
    )
    if (bad === undefined || second === undefined) return
    await good.recordOnce((one) => countOf(one) >= 1)
    const before = await bad.recordOnce((one) => countOf(one) >= 1)
    check('VER-STATUS-EVENT-NULL', 'last_event_id before')
      .of(results(before, 'last_event_id'))
      .is(null)
    bad.rewrite([{ does: 'unknown-file', from: 1 }])
    second.rewrite([{ does: 'unknown-file', from: 1 }])
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
    await second.recordOnce((one) => typeof results(one, 'last_event_id') === 'string')
    const receivers = [good, bad, second]
    checkRevocations(context, receivers, bad, keys[0])
    checkRevocations(context, receivers, second, keys[1])
  },
})
