import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

/** A verifier may keep `attestation_status` for push mode (ambiguity ATTSTATUS). */
const PUSH_ONLY = [null, undefined] as const

export default scenario({
  id: 'verifier.polling.failed-again',
  title:
    'The verifier records a pass after a reactivation, and each revocation event with its own id',
  requirements: [
    ...['VER-STATUS-EVENT-SET', 'VER-STATUS-COUNT-GROWS', 'VER-STATUS-COUNT-NOT-FAILED'],
    ...['VER-STATUS-SUCCESS-ONLY', 'VER-STATUS-PASS', 'VER-REACTIVATE-POLLS', 'VER-CHECKS-IMA'],
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, verifier, version, check }) {
    const agent = await machines.pullAgent({ script: [{ does: 'signature-altered', from: 1 }] })
    const isFailed = (id: unknown) => typeof id === 'string' && id !== ''
    const first = await agent.recordOnce((one) => isFailed(results(one, 'last_event_id')))
    check('VER-STATUS-COUNT-NOT-FAILED', 'attestation_count after a failure')
      .of(countOf(first))
      .is(0)
    agent.rewrite([])
    const call = { as: verifier.admin, params: { agent_id: agent.id } }
    await verifier.call('reactivate', call)
    const passed = await agent.recordOnce((one) => countOf(one) >= 1)
    for (const requirement of ['VER-REACTIVATE-POLLS', 'VER-STATUS-COUNT-GROWS'])
      check(requirement, 'attestation_count after the reactivation')
        .of(countOf(passed))
        .matches('at least 1', (count) => count >= 1)
    if (version === '2.5')
      check('VER-STATUS-PASS', 'attestation_status after the reactivation')
        .of(results(passed, 'attestation_status'))
        .isOneOf(['PASS', ...PUSH_ONLY])
    agent.rewrite([{ does: 'unknown-file', from: 1 }])
    const polls = agent.polls.length
    const before = results(first, 'last_event_id')
    await agent.polled(polls + 1)
    const second = await agent.recordOnce((one) => results(one, 'last_event_id') !== before)
    check('VER-STATUS-EVENT-SET', 'last_event_id after another failure')
      .of(results(second, 'last_event_id'))
      .matches(`another than ${String(before)}`, (id) => isFailed(id) && id !== before)
    check('VER-STATUS-COUNT-NOT-FAILED', 'attestation_count after another failure')
      .of(countOf(second))
      .matches(`at most ${polls}, the polls before it`, (count) => count < polls + 1)
    check('VER-STATUS-SUCCESS-ONLY', 'last_successful_attestation and last_received_quote')
      .of(['last_successful_attestation', 'last_received_quote'].map((one) => results(second, one)))
      .matches(
        'the first before the second',
        ([passes, quotes]) => Number(passes) <= Number(quotes),
      )
    agent.rewrite([]) // the file is in its list for ever
    await verifier.call('reactivate', call)
    const third = await agent.recordOnce(
      (one) =>
        results(one, 'last_event_id') !== results(second, 'last_event_id') ||
        countOf(one) > countOf(second),
    )
    check('VER-CHECKS-IMA', 'attestation_count after a reactivation with the file of before')
      .of(countOf(third))
      .is(countOf(second))
    agent.rewrite([{ does: 'no-answer', from: 1 }])
    await verifier.call('reactivate', call)
    if (version === '2.5')
      check('VER-STATUS-PASS', 'attestation_status after the last reactivation, before any answer')
        .of(results(await verifier.readAgent(agent.id), 'attestation_status'))
        .isOneOf(['FAIL', 'PENDING', ...PUSH_ONLY])
  },
})
