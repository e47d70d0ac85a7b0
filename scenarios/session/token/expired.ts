import { isSuccess, REFUSED, scenario } from '../../../conformance/scenario.ts'
import {
  bearer,
  bearing,
  lastsAsConfigured,
  millisecondsBetween,
  onOneConnection,
  tokenOf,
  withAuthorization,
} from '../support/engine.ts'

/** The part of its lifetime after which a token is used once more. */
const LATER = 0.75

/** The part of the lifetime of a challenge after which it is answered: the token lives from the answer on. */
const ANSWERED = 0.5

export default scenario({
  id: 'session.token-expired',
  title: 'The verifier accepts a token until it expires, and rejects it afterwards',
  requirements: [
    'SES-TOKEN-WORKS',
    'SES-TOKEN-LATER-REQUESTS',
    'SES-TOKEN-LIFETIME-SETTING',
    ...['SES-TOKEN-ENDS', 'AUT-NO-MTLS-FALLBACK', 'AUT-OPEN-SESSION-BAD-TOKEN'],
  ],
  role: 'verifier',
  since: '3.0',
  settings: 'short_lifetimes',
  seconds: 10,
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, check, elapse, lifetimes, now }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    const untilLate = millisecondsBetween(session, 'created_at', 'challenges_expire_at')
    await elapse(untilLate * ANSWERED, 'half of the lifetime of a session challenge is')
    const proven = await agent.proveSession(session)
    const granted = now()
    // One connection: a server may keep what it knows of the sender for its life.
    const token = tokenOf(proven)
    const credentials = onOneConnection(bearing(token))
    const params = { agent_id: agent.id }
    const read = (as = credentials) => verifier.call('list-attestations', { as, params })
    check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST')
      .of((await agent.offer(credentials)).status)
      .is(201)
    const lifetime = millisecondsBetween(proven, 'response_received_at', 'token_expires_at')
    if (lifetimes.token !== undefined)
      check('SES-TOKEN-LIFETIME-SETTING', 'milliseconds until token_expires_at')
        .of(lifetime)
        .matches(...lastsAsConfigured(lifetimes.token))
    await elapse(lifetime * LATER, 'most of the lifetime of a token is')
    const reply = await agent.offer(credentials)
    const isGood = isSuccess(reply) || reply.status === 429
    const left = Math.max(0, Math.round(granted + lifetime - now()))
    check('SES-TOKEN-LATER-REQUESTS', 'milliseconds before the expiry of a token that is refused')
      .measured(isGood ? 0 : left)
      .is(0)
    await agent.logIn()
    await elapse(lifetime * (1 - LATER), 'the rest of the lifetime of a token is') // the defect
    check('SES-TOKEN-ENDS', 'reading the attestations after the expiry of the token')
      .of(await read())
      .matches(...REFUSED)
    check('SES-TOKEN-ENDS', 'capabilities POST after the expiry of the token')
      .of(await agent.offer(credentials))
      .matches(...REFUSED)
    check('AUT-NO-MTLS-FALLBACK', 'reading them with the expired token and a certificate')
      .of(await read(withAuthorization(verifier.admin, bearer(token)))) // the defect
      .matches(...REFUSED)
    check('AUT-OPEN-SESSION-BAD-TOKEN', 'HTTP status of a session that is opened with that token')
      .of((await agent.openSession({}, credentials)).status)
      .is(200)
    await agent.attest()
    check('SES-TOKEN-ENDS', 'reading the attestations after evidence passed under a later token')
      .of(await read())
      .matches(...REFUSED)
  },
})
