import { base64, scenario } from '../../../conformance/scenario.ts'
import { countOf, restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.after-restart',
  title:
    'The verifier polls an agent again after a restart, with a V key that it did not take before, but no agent that was stopped',
  requirements: ['VER-POLLS', 'VER-STOP-NO-POLLING', 'VER-ADD-V-SENT', 'VER-STATUS-COUNT-GROWS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  alone: true,
  variantOf: 'verifier.polling.recorded',
  async run(context) {
    const { machines, verifier, random, check } = context
    const v = random.bytes(32)
    const waiting = await machines.pullAgent({ v, script: [{ does: 'v-key-refused', from: 1 }] })
    const handed = () => waiting.asked.filter(({ operation }) => operation === 'vkey').length
    const agent = await machines.pullAgent()
    const stopped = await machines.pullAgent()
    for (const one of [agent, stopped]) await one.recordOnce((record) => countOf(record) >= 1)
    const params = { agent_id: stopped.id }
    await verifier.call('stop', { as: verifier.admin, params })
    await stopped.answered()
    const { length: polls } = stopped.polls
    const counted = countOf(await verifier.readAgent(stopped.id))
    await waiting.recordOnce(() => handed() > 0)
    const [tries, { length: asked }] = [handed(), waiting.polls]
    await restartVerifier(context)
    const before = countOf(await verifier.readAgent(agent.id))
    const after = await agent.recordOnce((one) => countOf(one) > before)
    check('VER-POLLS', 'attestation_count after the restart')
      .of(countOf(after))
      .matches(`above ${before}`, (count) => count > before)
    check('VER-STOP-NO-POLLING', 'polls of the agent that was stopped before the restart')
      .of(stopped.polls.length)
      .is(polls)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count of that agent')
      .of(countOf(await verifier.readAgent(stopped.id)))
      .is(counted)
    waiting.rewrite([])
    if (tries > 0) await waiting.recordOnce(() => waiting.v !== undefined)
    // A verifier may take an agent without its V key for a failed one, and ask it no more.
    if (tries > 0 && waiting.polls.length > asked)
      check('VER-ADD-V-SENT', 'the V key that an agent which is polled on did not take before')
        .of(waiting.v && base64(waiting.v))
        .meets({
          'by the verifier': (received) => received === base64(v),
          'by the tenant': () => tries === 0,
        })
  },
})
