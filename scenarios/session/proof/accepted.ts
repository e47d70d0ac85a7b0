import { at, attributes, scenario } from '../../../conformance/scenario.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default scenario({
  id: 'session.proof-accepted',
  title: 'The verifier issues a valid token to an agent that certifies its key over the challenge',
  requirements: [
    'SES-CREATE-STATUS',
    'SES-CREATE-PUBLIC',
    'SES-CREATE-NO-ENVELOPE',
    'SES-TYPE',
    'SES-ID-UUID',
    'SES-AGENT-ID',
    'SES-CHALLENGE',
    'SES-CHALLENGE-FRESH',
    'SES-DEADLINE',
    'SES-PASS-STATUS',
    'SES-PROVE-PUBLIC',
    'SES-PASS-EVALUATION',
    'SES-TOKEN-FORM',
    'SES-TOKEN-EXPIRY',
    'SES-TOKEN-WORKS',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ machines, check, now }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const id = at(session.body, 'data', 'id')
    check('SES-CREATE-STATUS', 'HTTP status').of(session.status).is(200)
    check('SES-CREATE-PUBLIC', 'HTTP status without credentials').of(session.status).is(200)
    check('SES-CREATE-NO-ENVELOPE', 'code of the answer')
      .of(at(session.body, 'code'))
      .meets({
        'the data shape': (code) => code === undefined,
        'the envelope': (code) => code === 200,
      })
    check('SES-TYPE', 'data.type')
      .of(at(session.body, 'data', 'type'))
      .is('session')
    check('SES-ID-UUID', 'data.id')
      .of(id)
      .matches('a UUID', (text) => UUID.test(String(text)))
    check('SES-AGENT-ID', 'agent_id').of(attributes(session, 'agent_id')).is(agent.id)
    const requested = attributes(session, 'authentication_requested', 0)
    check('SES-CHALLENGE', 'authentication_type')
      .of(at(requested, 'authentication_type'))
      .is('tpm_pop')
    const challenge = at(requested, 'chosen_parameters', 'challenge')
    const other = attributes(await agent.openSession(), 'authentication_requested', 0)
    check('SES-CHALLENGE-FRESH', 'challenge of another session')
      .of(at(other, 'chosen_parameters', 'challenge'))
      .isNot(challenge)
    check('SES-DEADLINE', 'challenges_expire_at')
      .of(attributes(session, 'challenges_expire_at'))
      .matches(
        'an instant after created_at',
        (text) => Date.parse(String(text)) > Date.parse(String(attributes(session, 'created_at'))),
      )

    const proven = await agent.proveSession(session)
    check('SES-PASS-STATUS', 'HTTP status').of(proven.status).is(200)
    check('SES-PROVE-PUBLIC', 'HTTP status without credentials').of(proven.status).is(200)
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
    check('SES-TOKEN-FORM', 'token')
      .of(attributes(proven, 'token'))
      .matches(
        '<session_id>.<secret>',
        (token) =>
          String(token).startsWith(`${id}.`) && String(token).length > String(id).length + 20,
      )
    check('SES-TOKEN-EXPIRY', 'token_expires_at')
      .of(attributes(proven, 'token_expires_at'))
      .matches('an instant in the future', (text) => Date.parse(String(text)) > now())
    await agent.logIn()
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST')
      .of((await agent.offer(agent.credentials)).status)
      .is(201)
  },
})
