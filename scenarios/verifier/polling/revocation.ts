import { type Reply, results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'
import { checkSigned, makeRevocationKey, messagesAbout } from '../support/revocations.ts'

const METADATA = { place: 'Zürich 東' }
/** In the metadata of the agent that is added again, and so in the messages about it. */
const ANEW = 'added anew'

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
    const { machines, verifier, check, observe, until, quoteIntervalMs } = context
    const hasEvent = (record: Reply) => typeof results(record, 'last_event_id') === 'string'
    const keys = [makeRevocationKey(0), makeRevocationKey(1)] as const
    const good = await machines.pullAgent()
    const [bad, second] = await Promise.all(
      keys.map(({ privatePem: revocation_key }) =>
        machines.pullAgent({ members: { revocation_key, metadata: JSON.stringify(METADATA) } }),
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
    const failed = await bad.recordOnce(hasEvent)
    for (const requirement of ['EVT-REVOCATION-EXISTS', 'VER-STATUS-EVENT-SET'])
      check(requirement, 'last_event_id')
        .of(results(failed, 'last_event_id'))
        .matches('a text', (id) => typeof id === 'string' && id !== '')
    await good.polled(3)
    const other = await verifier.readAgent(good.id)
    check('EVT-REVOCATION-PER-AGENT', 'last_event_id of the other agent')
      .of(results(other, 'last_event_id'))
      .is(null)
    await second.recordOnce(hasEvent)
    const receivers = [good, bad, second]
    // A verifier that has many agents to tell takes its time; one that tells none is waited for in vain.
    const arrive = (messages: () => readonly unknown[]) =>
      until(() => messages().length > 0, { withinMs: 5 * quoteIntervalMs })
    await arrive(() => messagesAbout(second, receivers).flat())
    const messages = messagesAbout(bad, receivers)
    const numbers = messages.map(({ length }) => length)
    observe('EVT-REVOCATION-DELIVERY', 'messages to the other agent, and to itself', numbers)
    const [first] = messages.flat()
    if (first !== undefined) observe('EVT-REVOCATION-PAYLOAD', 'the message', first.msg)
    checkSigned(context, 'about the first agent', messages.flat(), keys[0])
    checkSigned(context, 'about the second', messagesAbout(second, receivers).flat(), keys[1])
    await verifier.deleteAgent(second.id)
    second.rewrite([{ does: 'changed-file', from: 1 }])
    const metadata = JSON.stringify({ ...METADATA, [ANEW]: true })
    await second.enrol({ revocation_key: keys[0].privatePem, metadata }) // the defect
    await second.recordOnce(hasEvent)
    const newOnes = () =>
      messagesAbout(second, receivers)
        .flat()
        .filter(({ msg }) => msg.includes(ANEW))
    if (first?.msg.includes(METADATA.place)) await arrive(newOnes)
    checkSigned(context, 'about the second, added again with another key,', newOnes(), keys[0])
  },
})
