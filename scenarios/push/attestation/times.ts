import { attributes, type Reply, scenario } from '../../../conformance/scenario.ts'

const MICROSECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}(Z|[+-]\d{2}:\d{2})$/
const instantOf = (reply: Reply, name: string) => Date.parse(String(attributes(reply, name)))

const STABLE = [
  ['ATT-TIME-RECEIVED-STABLE', 'capabilities_received_at'],
  ['ATT-TIME-EXPIRE-STABLE', 'challenges_expire_at'],
] as const

const COMPLETED = 'verification_completed_at'

export default scenario({
  id: 'push.attestation.times',
  title:
    'The verifier returns the times of an attestation as null until reached, then in order and unchanged',
  requirements: [
    'ATT-READ-NULL-TIMES',
    'ATT-TIME-ORDER-EVIDENCE',
    'ATT-TIME-ORDER-COMPLETED',
    'ATT-DEADLINE-FORM',
    ...STABLE.map(([row]) => row),
    ...['ATT-TIME-EVIDENCE-STABLE', 'ATT-TIME-COMPLETED-STABLE'],
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const waiting = await verifier.attestation(agent.id, negotiation.index)
    for (const name of ['evidence_received_at', 'verification_completed_at'])
      check('ATT-READ-NULL-TIMES', `${name} while evidence is awaited`)
        .of(attributes(waiting, name))
        .is(null)
    const accepted = await agent.submit(negotiation)
    const evaluated = await agent.verdict(negotiation)
    for (const [row, name] of STABLE)
      check(row, `${name} after the verdict`)
        .of(attributes(evaluated, name))
        .is(attributes(negotiation.reply, name))
    const receivedAt = attributes(accepted, 'evidence_received_at')
    if (receivedAt !== undefined)
      check('ATT-TIME-EVIDENCE-STABLE', 'evidence_received_at after the verdict')
        .of(attributes(evaluated, 'evidence_received_at'))
        .is(receivedAt)
    const next = await agent.negotiate()
    await agent.submit(next)
    await agent.verdict(next)
    check('ATT-TIME-COMPLETED-STABLE', 'verification_completed_at after the next verdict')
      .of(attributes(await verifier.attestation(agent.id, negotiation.index), COMPLETED))
      .is(attributes(evaluated, COMPLETED))
    for (const [row, before, after] of [
      ['ATT-TIME-ORDER-EVIDENCE', 'capabilities_received_at', 'evidence_received_at'],
      ['ATT-TIME-ORDER-COMPLETED', 'evidence_received_at', 'verification_completed_at'],
    ] as const)
      check(row, `milliseconds from ${before} to ${after}`)
        .of(instantOf(evaluated, after) - instantOf(evaluated, before))
        .matches('0 or more', (ms) => ms >= 0)
    for (const name of [
      'challenges_expire_at',
      'evidence_received_at',
      'verification_completed_at',
    ])
      check('ATT-DEADLINE-FORM', `form of ${name}`)
        .of(String(attributes(evaluated, name)))
        .meets({
          microseconds: (text) => MICROSECONDS.test(text),
          'another form': (text) => !Number.isNaN(Date.parse(text)),
        })
  },
})
