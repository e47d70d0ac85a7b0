import { attributes, type PushAgent, results, scenario } from '../../../conformance/scenario.ts'

type Agent = Pick<PushAgent, 'attest'>

/** Longer than a second, the resolution of the times in the record. */
const BETWEEN_MS = 1100

const passes = (agent: Agent) => agent.attest()

export default scenario({
  id: 'push.evidence.record-of-several',
  title: 'The verifier keeps the status record of an agent current over passed and failed evidence',
  requirements: [
    'ATT-QUOTE-OVER-CHALLENGE',
    'VER-STATUS-COUNT-GROWS',
    'VER-STATUS-COUNT-NOT-FAILED',
    'VER-STATUS-FAIL',
    'VER-STATUS-RECEIVED-ANY',
    'VER-STATUS-SUCCESS-ONLY',
    ...['ATT-REASON-BROKEN', 'ATT-REASON-NULL'],
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.told-in-the-record',
  async run({ verifier, machines, random, check, elapse, observe }) {
    const agent = await machines.lightAgent()
    const record = async (attests: (agent: Agent) => ReturnType<Agent['attest']>) => {
      const seen = await attests(agent)
      const reply = await verifier.readAgent(agent.id)
      return { seen, of: (name: string) => results(reply, name) }
    }
    const first = await record(passes)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count').of(first.of('attestation_count')).is(1)
    await elapse(BETWEEN_MS, 'the times of the record differ after')
    const otherChallenge = random.bytes(32)
    const failed = await record((one) => one.attest({ challenge: otherChallenge })) // the defect
    const judged = check('ATT-QUOTE-OVER-CHALLENGE', 'evaluation of the second attestation')
      .of(attributes(failed.seen, 'evaluation'))
      .is('fail')
    if (!judged) return
    check('VER-STATUS-FAIL', 'attestation_status after a failure')
      .of(failed.of('attestation_status'))
      .is('FAIL')
    check('ATT-REASON-BROKEN', 'failure_reason of the second attestation')
      .of(attributes(failed.seen, 'failure_reason'))
      .is('broken_evidence_chain')
    check('VER-STATUS-COUNT-NOT-FAILED', 'attestation_count after a failure')
      .of(failed.of('attestation_count'))
      .is(1)
    const [received, succeeded] = ['last_received_quote', 'last_successful_attestation'] as const
    const isAfter = (before: unknown) =>
      [`more than ${before}`, (time: unknown) => Number(time) > Number(before)] as const
    check('VER-STATUS-RECEIVED-ANY', `${received} after a failure`)
      .of(failed.of(received))
      .matches(...isAfter(first.of(received)))
    check('VER-STATUS-SUCCESS-ONLY', `${succeeded} after a failure`)
      .of(failed.of(succeeded))
      .is(first.of(succeeded))
    await elapse(BETWEEN_MS, 'the times of the record differ after')
    const last = await record(passes)
    check('ATT-REASON-NULL', 'failure_reason of a pass after a failure')
      .of(attributes(last.seen, 'failure_reason'))
      .isOneOf([null, undefined])
    observe(
      'ATTSTATUS',
      'attestation_status of a pass after a failure',
      last.of('attestation_status'),
    )
    check('VER-STATUS-COUNT-GROWS', 'attestation_count after a second pass')
      .of(last.of('attestation_count'))
      .is(2)
    check('VER-STATUS-SUCCESS-ONLY', `${succeeded} after a second pass`)
      .of(last.of(succeeded))
      .matches(...isAfter(first.of(succeeded)))
    const receivedLast = Number(last.of(received))
    check('VER-STATUS-SUCCESS-ONLY', `${succeeded} after a second pass, beside ${received}`)
      .of(Number(last.of(succeeded)))
      .matches(`at least ${receivedLast}`, (time) => time >= receivedLast)
  },
})
