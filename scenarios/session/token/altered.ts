import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing, tokenOf } from '../support/engine.ts'

interface Parts {
  readonly id: string
  readonly secret: string
}

/** Builds a token from those of two sessions of the agent and of a session of another agent with the same key. */
type Alter = (id: string, secret: string, other: Parts, strange: Parts) => string

const turned = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
const inOtherCase = (text: string) =>
  text.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()))

const ALTERED: readonly (readonly [id: string, title: string, row: string, alter: Alter])[] = [
  [
    'cut',
    'its last character removed',
    'SES-TOKEN-WHOLE',
    (id, secret) => `${id}.${secret.slice(0, -1)}`,
  ],
  ['extended', 'one more character', 'SES-TOKEN-WHOLE', (id, secret) => `${id}.${secret}A`],
  [
    'turned',
    'another first character of its secret',
    'SES-TOKEN-SECRET',
    (id, secret) => `${id}.${turned(secret)}`,
  ],
  [
    'last',
    'another last character',
    'SES-TOKEN-WHOLE',
    (id, secret) => `${id}.${secret.slice(0, -1)}${turned(secret.slice(-1))}`,
  ],
  ['third-part', 'a third part', 'SES-TOKEN-WHOLE', (id, secret) => `${id}.${secret}.${secret}`],
  [
    'before-another',
    'another token behind it, after a blank',
    'SES-TOKEN-FORM',
    (id, secret, other) => `${id}.${secret} ${other.id}.${other.secret}`,
  ],
  ['padded', 'a sign of padding behind it', 'SES-TOKEN-WHOLE', (id, secret) => `${id}.${secret}=`],
  [
    'case',
    'its secret in the other case',
    'SES-TOKEN-SECRET',
    (id, secret) => `${id}.${inOtherCase(secret)}`,
  ],
  ['empty', 'an empty secret', 'SES-TOKEN-SECRET', (id) => `${id}.`],
  ['no-secret', 'no secret', 'SES-TOKEN-SECRET', (id) => id],
  ['no-session', 'no session', 'SES-TOKEN-SESSION-PART', (_, secret) => `.${secret}`],
  ['no-dot', 'no dot', 'SES-TOKEN-FORM', (id, secret) => id + secret],
  [
    'swapped',
    'the secret of another session',
    'SES-TOKEN-OWN-SESSION',
    (id, _, other) => `${id}.${other.secret}`,
  ],
  [
    'of-another-agent',
    'the secret of a session of another agent',
    'SES-TOKEN-OWN-SESSION',
    (id, _, __, strange) => `${id}.${strange.secret}`,
  ],
  [
    'for-another-agent',
    'the session of another agent',
    'SES-TOKEN-OWN-SESSION',
    (_, secret, __, strange) => `${strange.id}.${secret}`,
  ],
]

const partsOf = (token: string) => {
  const at = token.indexOf('.')
  return { id: token.slice(0, at), secret: token.slice(at + 1) }
}

export default ALTERED.map(([name, title, row, alter]) =>
  scenario({
    id: `session.token-altered.${name}`,
    title: `The verifier rejects a token with ${title}`,
    requirements: ['SES-TOKEN-WORKS', 'SES-TOKEN-LATER-REQUESTS', row],
    role: 'verifier',
    since: '3.0',
    variantOf: 'session.proof-accepted',
    async run({ machines, check, notApplicable }) {
      const agent = await machines.softAgent({ until: 'enrolled' })
      const stranger = await machines.softAgent({ until: 'enrolled' })
      // The token of the last session is used: an earlier one may have ended with it.
      const [other, token, strange] = [
        tokenOf(await agent.proveSession(await agent.openSession())),
        tokenOf(await agent.proveSession(await agent.openSession())),
        tokenOf(await stranger.proveSession(await stranger.openSession())),
      ]
      await agent.openSession() // never proven, so that it ends no token
      // A verifier may keep the result of a token that was used.
      for (const [user, used] of [
        [agent, token],
        [stranger, strange],
      ] as const)
        check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST with a whole token')
          .of((await user.offer(bearing(used))).status)
          .is(201)
      const { id, secret } = partsOf(token)
      const altered = alter(id, secret, partsOf(other), partsOf(strange)) // the defect
      if (altered === token) return notApplicable('its secret has no letter')
      check(row, 'capabilities POST')
        .of(await agent.offer(bearing(altered)))
        .matches(...REFUSED)
      check('SES-TOKEN-LATER-REQUESTS', 'HTTP status with the whole token after that')
        .of((await agent.offer(bearing(token))).status)
        .is(201)
    },
  }),
)
