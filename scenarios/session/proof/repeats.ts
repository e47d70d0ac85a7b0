import { attributes, type Reply, scenario } from '../../../conformance/scenario.ts'
import { challengeIn, checkRepeated } from '../support/repeated.ts'

const instantOf = (reply: Reply, name: string) => Date.parse(String(attributes(reply, name)))

const secondsBetween = (reply: Reply, from: string, to: string) =>
  Math.round((instantOf(reply, to) - instantOf(reply, from)) / 1000)

export default scenario({
  id: 'session.proof-repeats',
  title:
    'The verifier returns the opened session on completion, with the lifetimes of challenge and token',
  requirements: [
    ...['SES-PASS-CREATED-SAME', 'SES-PASS-ID-SAME', 'SES-PASS-AGENT', 'SES-PASS-EXPIRES'],
    ...['SES-PASS-AUTHENTICATION-MESSAGE', 'SES-PASS-AUTHENTICATION-SIGNATURE'],
    ...['SES-PASS-AUTHENTICATION-CHALLENGE', 'SES-CHALLENGE-LENGTH', 'SES-CHALLENGE-LIFETIME'],
    'SES-TOKEN-LIFETIME-DEFAULT',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, random, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const refused = await agent.openSession()
    const wrong = await agent.makeProof(refused, { challenge: random.bytes(16) })
    checkRepeated(check, refused, wrong, await agent.sendProof(wrong))
    const session = await agent.openSession()
    const proof = await agent.makeProof(session)
    const proven = await agent.sendProof(proof)
    checkRepeated(check, session, proof, proven)
    const challenge = String(challengeIn(session, 'authentication_requested'))
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
