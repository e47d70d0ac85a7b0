import { base64, isRefusal, results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

const ZEROS = '0'.repeat(64)
const MASK = '0x800400'

/** What differs each time that the agent is added. */
const TIMES = [
  { says: 'at first', allowed: ZEROS, metadata: '{"time":1}', passes: true },
  { says: 'with another policy', allowed: 'f'.repeat(64), metadata: '{"time":2}', passes: false },
  { says: 'once more', allowed: ZEROS, metadata: '{"time":3}', passes: true },
]

export default scenario({
  id: 'verifier.polling.added-again',
  title:
    'The verifier evaluates a pull agent that is deleted and added again by its new request only',
  requirements: [
    ...['VER-ADD-STATUS', 'VER-STATUS-COUNT-ZERO', 'VER-STATUS-COUNT-GROWS', 'VER-CHECKS-PCRS'],
    ...['VER-STATUS-EVENT-NULL', 'VER-STATUS-META-VALUE', 'VER-ADD-IP'],
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, verifier, check }) {
    const agent = await machines.pullAgent({ until: 'activated' })
    for (const { says, allowed, metadata, passes } of TIMES) {
      const tpm_policy = JSON.stringify({ 23: [allowed], mask: MASK })
      const before = agent.polls.length
      const added = await agent.enrol({ tpm_policy, metadata })
      check('VER-ADD-STATUS', `HTTP status of adding it ${says}`).of(added.status).is(200)
      const record = await agent.recordOnce(
        (one) => countOf(one) >= 1 || results(one, 'last_event_id') !== null,
      )
      check('VER-STATUS-META-VALUE', `metadata of the agent that was added ${says}`)
        .of(results(record, 'meta_data') ?? results(record, 'metadata'))
        .is(metadata)
      const count = `attestation_count of the agent that was added ${says}`
      if (passes) {
        const polls = agent.polls.length - before
        check('VER-STATUS-COUNT-GROWS', count)
          .of(countOf(record))
          .matches(`from 1 to its ${polls} polls`, (passed) => passed >= 1 && passed <= polls)
        check('VER-STATUS-EVENT-NULL', `last_event_id of the agent that was added ${says}`)
          .of(results(record, 'last_event_id'))
          .is(null)
      } else {
        for (const requirement of ['VER-STATUS-COUNT-ZERO', 'VER-CHECKS-PCRS'])
          check(requirement, count).of(countOf(record)).is(0)
      }
      await verifier.deleteAgent(agent.id)
      await agent.recordOnce(isRefusal)
    }
    const other = await machines.pullAgent({ until: 'listening' })
    await agent.enrol({
      ak_tpm: base64(other.machine.ak.public),
      cloudagent_port: String(other.port),
      mtls_cert: other.served.certificate,
    })
    const moved = await agent.recordOnce((one) => countOf(one) >= 1)
    check('VER-ADD-IP', 'attestation_count of the agent that was added with another address')
      .of(countOf(moved))
      .matches('at least 1', (count) => count >= 1)
  },
})
