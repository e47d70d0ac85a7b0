import { attributes, type Reply, scenario } from '../../conformance/scenario.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const IS_INSTANT = [
  'an ISO 8601 instant',
  (text: unknown) => INSTANT.test(String(text)) && !Number.isNaN(Date.parse(String(text))),
] as const

const instantOf = (reply: Reply, name: string) => Date.parse(String(attributes(reply, name)))

export default scenario({
  id: 'session.times',
  title:
    'The verifier returns session times as instants in order, with a token that has not expired',
  requirements: [
    'SES-CREATED-INSTANT',
    'SES-EXPIRES-INSTANT',
    'SES-DEADLINE',
    'SES-PASS-RESPONSE-INSTANT',
    'SES-PASS-RESPONSE-ORDER',
    'SES-TOKEN-EXPIRY',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe, now }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const sentAt = now()
    const session = await agent.openSession()
    const proven = await agent.proveSession(session)
    const between = instantOf(session, 'created_at') - sentAt
    observe('clock', 'milliseconds from our request to created_at', between)
    const rows = [
      ['SES-CREATED-INSTANT', session, 'created_at'],
      ['SES-EXPIRES-INSTANT', session, 'challenges_expire_at'],
      ['SES-PASS-RESPONSE-INSTANT', proven, 'response_received_at'],
      ['SES-TOKEN-EXPIRY', proven, 'token_expires_at'],
    ] as const
    for (const [row, reply, name] of rows)
      check(row, name)
        .of(attributes(reply, name))
        .matches(...IS_INSTANT)
    const created = instantOf(proven, 'created_at')
    for (const [row, name, least] of [
      ['SES-DEADLINE', 'challenges_expire_at', 1],
      ['SES-PASS-RESPONSE-ORDER', 'response_received_at', 0],
      ['SES-TOKEN-EXPIRY', 'token_expires_at', 1],
    ] as const)
      check(row, `milliseconds from created_at to ${name}`)
        .of(instantOf(proven, name) - created)
        .matches(`${least} or more`, (ms) => ms >= least)
  },
})
