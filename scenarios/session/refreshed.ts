import { at, attributes, type Reply, scenario } from '../../conformance/scenario.ts'
import { bearing, tokenOf } from './support/engine.ts'

/** Fewer than the characters in which two random secrets differ, and more than those of two numbers in a row. */
const APART = 8

const charactersApart = (one: string, other: string) =>
  [...one].filter((character, index) => character !== other[index]).length

/** A text, and the bytes that it may stand for, in hexadecimal digits; what is short stands for nothing. */
const formsOf = (text: string) =>
  (['utf8', 'hex', 'base64'] as const)
    .map((encoding) => Buffer.from(text, encoding).toString('hex'))
    .filter(({ length }) => length >= text.length)

export default scenario({
  id: 'session.refreshed',
  title: 'The verifier issues a new token for a new session, valid at once',
  requirements: ['SES-TOKEN-SECRET', 'SES-ID-UNIQUE', 'SES-TOKEN-REFRESH', 'SES-TOKEN-OLD-FATE'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    // A proof that passes does not end a challenge that waits.
    const [first, session] = [await agent.openSession(), await agent.openSession()]
    const old = partsOf(await agent.proveSession(first))
    const fresh = partsOf(await agent.proveSession(session))
    check('SES-ID-UNIQUE', 'id of the second session').of(fresh.id).isNot(old.id)
    check('SES-TOKEN-SECRET', 'characters in which the secrets of two tokens differ')
      .of(charactersApart(fresh.secret, old.secret))
      .matches(`${APART} or more`, (apart) => apart >= APART)
    const challenge = String(
      at(attributes(session, 'authentication_requested', 0), 'chosen_parameters', 'challenge'),
    )
    check('SES-TOKEN-SECRET', 'whether the secret is the challenge, which was known before')
      .of(formsOf(fresh.secret).some((form) => formsOf(challenge).includes(form)))
      .is(false)
    check('SES-TOKEN-REFRESH', 'HTTP status with the new token')
      .of((await agent.offer(bearing(fresh.token))).status)
      .is(201)
    check('SES-TOKEN-OLD-FATE', 'HTTP status with the old token')
      .of((await agent.offer(bearing(old.token))).status)
      .meets({
        'still valid': (status) => status === 201,
        ended: (status) => status === 401 || status === 403,
      })
  },
})

function partsOf(proven: Reply) {
  const token = tokenOf(proven)
  const dot = token.indexOf('.')
  return { token, id: token.slice(0, dot), secret: token.slice(dot + 1) }
}
