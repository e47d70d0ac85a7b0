import { REFUSED, scenario } from '../../../conformance/scenario.ts'
import { bearing, tokenOf } from '../support/engine.ts'

/** Builds a token from the id and secret of its session and of another session of the same agent. */
type Alter = (id: string, secret: string, other: { id: string; secret: string }) => string

const turned = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)

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
]

const partsOf = (token: string) => {
  const at = token.indexOf('.')
  return { id: token.slice(0, at), secret: token.slice(at + 1) }
}

export default ALTERED.map(([name, title, row, alter]) =>
  scenario({
    id: `session.token-altered.${name}`,
    title: `The verifier rejects a token with ${title}`,
    requirements: ['SES-TOKEN-WORKS', ...new Set([row])],
    role: 'verifier',
    since: '3.0',
    variantOf: 'session.proof-accepted',
    async run({ machines, check }) {
      const agent = await machines.pushAgent({ until: 'enrolled' })
      const token = tokenOf(await agent.proveSession(await agent.openSession()))
      const other = tokenOf(await agent.proveSession(await agent.openSession()))
      check('SES-TOKEN-WORKS', 'HTTP status of the capabilities POST with the other token')
        .of((await agent.offer(bearing(other))).status)
        .is(201)
      const { id, secret } = partsOf(token)
      const altered = alter(id, secret, partsOf(other)) // the defect
      check(row, 'capabilities POST')
        .of(await agent.offer(bearing(altered)))
        .matches(...REFUSED)
    },
  }),
)
