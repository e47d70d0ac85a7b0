import { at, attributes, type Reply, scenario } from '../../../conformance/scenario.ts'

const instantOf = (reply: Reply, name: string) => Date.parse(String(attributes(reply, name)))

const secondsBetween = (reply: Reply, from: string, to: string) =>
  Math.round((instantOf(reply, to) - instantOf(reply, from)) / 1000)

export default scenario({
  id: 'session.proof-repeats',
  title:
    'The verifier returns the opened session on completion, with the lifetimes of challenge and token',
  requirements: [
    'SES-PASS-CREATED-SAME',
    'SES-PASS-ID-SAME',
    'SES-PASS-AGENT',
    'SES-CHALLENGE-LENGTH',
    'SES-CHALLENGE-LIFETIME',
    'SES-TOKEN-LIFETIME-DEFAULT',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session)
    check('SES-PASS-ID-SAME', 'data.id')
      .of(at(proven.body, 'data', 'id'))
      .is(at(session.body, 'data', 'id'))
    check('SES-PASS-AGENT', 'agent_id').of(attributes(proven, 'agent_id')).is(agent.id)
    check('SES-PASS-CREATED-SAME', 'created_at')
      .of(attributes(proven, 'created_at'))
      .is(attributes(session, 'created_at'))
    const requested = attributes(session, 'authentication_requested', 0)
    const challenge = String(at(requested, 'chosen_parameters', 'challenge'))
    check('SES-CHALLENGE-LENGTH', 'bytes of the challenge')
      .of(Buffer.from(challenge, 'base64').length)
      .matches('16 or more', (bytes) => bytes >= 16)
    check('SES-CHALLENGE-LIFETIME', 'seconds of a challenge')
      .of(secondsBetween(session, 'created_at', 'challenges_expire_at'))
      .matches('1 or more', (seconds) => seconds >= 1)
    check('SES-TOKEN-LIFETIME-DEFAULT', 'seconds of a token')
      .of(secondsBetween(proven, 'response_received_at', 'token_expires_at'))
      .matches('1 or more', (seconds) => seconds >= 1)
  },
})
