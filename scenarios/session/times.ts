import { at, attributes, type Reply, scenario } from '../../conformance/dsl.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const instantOf = (reply: Reply, name: string) => Date.parse(String(attributes(reply, name)))

export default scenario({
  id: 'session.times',
  title: 'The instants of a session are in order, and those of its opening stay as they were',
  requirements: [
    'SES-CREATED-INSTANT',
    'SES-EXPIRES-INSTANT',
    'SES-PASS-RESPONSE-INSTANT',
    'SES-PASS-RESPONSE-ORDER',
    'SES-PASS-CREATED-SAME',
    'SES-PASS-ID-SAME',
    'SES-PASS-AGENT',
    'SES-TOKEN-EXPIRY',
    'SES-TOKEN-LIFETIME-DEFAULT',
    'SES-CHALLENGE-LIFETIME',
    'SES-CHALLENGE-LENGTH',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const asked = Date.now()
    const session = await agent.openSession()
    observe(
      'clock',
      'milliseconds from our request to created_at',
      instantOf(session, 'created_at') - asked,
    )
    const proven = await agent.proveSession(session)
    const isInstant = [
      'an ISO 8601 instant',
      (text: unknown) => INSTANT.test(String(text)),
    ] as const
    const instants = [
      ['SES-CREATED-INSTANT', session, 'created_at'],
      ['SES-EXPIRES-INSTANT', session, 'challenges_expire_at'],
      ['SES-PASS-RESPONSE-INSTANT', proven, 'response_received_at'],
      ['SES-TOKEN-EXPIRY', proven, 'token_expires_at'],
    ] as const
    for (const [row, reply, name] of instants)
      check(row, name)
        .of(attributes(reply, name))
        .matches(...isInstant)
    const [created, received] = ['created_at', 'response_received_at'].map((name) =>
      instantOf(proven, name),
    )
    check('SES-PASS-CREATED-SAME', 'created_at')
      .of(attributes(proven, 'created_at'))
      .is(attributes(session, 'created_at'))
    check('SES-PASS-ID-SAME', 'data.id')
      .of(at(proven.body, 'data', 'id'))
      .is(at(session.body, 'data', 'id'))
    check('SES-PASS-AGENT', 'agent_id').of(attributes(proven, 'agent_id')).is(agent.id)
    check('SES-PASS-RESPONSE-ORDER', 'milliseconds from created_at to response_received_at')
      .of(Number(received) - Number(created))
      .matches('not below 0', (ms) => ms >= 0)
    check('SES-TOKEN-EXPIRY', 'milliseconds that the token lives from created_at on')
      .of(instantOf(proven, 'token_expires_at') - Number(created))
      .matches('above 0', (ms) => ms > 0)
    check('SES-TOKEN-LIFETIME-DEFAULT', 'seconds of a token')
      .of(Math.round((instantOf(proven, 'token_expires_at') - Number(received)) / 1000))
      .matches('any number', Number.isFinite)
    check('SES-CHALLENGE-LIFETIME', 'seconds of a challenge')
      .of(Math.round((instantOf(session, 'challenges_expire_at') - Number(created)) / 1000))
      .matches('any number', Number.isFinite)
    const requested = attributes(session, 'authentication_requested', 0)
    const challenge = String(at(requested, 'chosen_parameters', 'challenge'))
    check('SES-CHALLENGE-LENGTH', 'bytes of the challenge')
      .of(Buffer.from(challenge, 'base64').length)
      .matches('16 or more', (bytes) => bytes >= 16)
  },
})
