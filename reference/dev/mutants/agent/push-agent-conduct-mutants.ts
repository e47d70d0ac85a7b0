import { createServer } from 'node:net'
import tls from 'node:tls'
import { PUSH_MOVES, type PushMove } from '../../../agent/push/moves.ts'
import type { PushAgentParts } from '../../../agent/push/push-agent-parts.ts'
import { PUSH_AGENT_PARTS } from '../../../agent/push/push-agent-parts.ts'
import type { PushState } from '../../../agent/push/states.ts'
import { REGISTRATION_REQUEST } from '../../../agent/registration/registration-request.ts'
import { jsonClient, NoAnswer } from '../../../http-client/json-client.ts'
import { selfSigned } from '../../../pki/self-signed.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { withMember } from './mutate-agent.ts'
import { asking, isStep, mutating, pushing, withPushRules } from './mutate-push-agent.ts'

/** Some rows of the table are others. */
const moving = (
  isMeant: (move: PushMove) => boolean,
  to: Partial<PushMove>,
): Partial<PushAgentParts> => ({
  moves: PUSH_MOVES.map((move) => (isMeant(move) ? { ...move, ...to } : move)),
})

const fails = (from: PushState) => (move: PushMove) =>
  move.from === from && move.does.includes('back_off')

const ended: Partial<PushMove> = { to: 'Stopped', does: [] }

/** The steps of an agent at its start. */
const beginning = (begin: () => void): Partial<PushAgentParts> => ({
  connect: (options) => {
    begin()
    return jsonClient(options)
  },
})

const withoutBackingOff = ({ does }: PushMove) => does.filter((effect) => effect !== 'back_off')

const REGISTRATION: readonly Mutant[] = [
  pushing('ekcert-never', 'the EK certificate is not registered', {
    registrationRequest: withMember(REGISTRATION_REQUEST, 'ekcert', undefined),
  }),
  pushing('port-as-number', 'a port is registered, as a number', {
    registrationRequest: withMember(REGISTRATION_REQUEST, 'port', () => 9002),
  }),
  pushing('id-never-told', 'the registration does not have the id of the agent', {
    registrationRequest: withMember(REGISTRATION_REQUEST, 'agent_id', () => 'another'),
  }),
  pushing(
    'activation-left-out',
    'the registration is not activated',
    asking((question, ask) =>
      isStep(question, 'activation')
        ? Promise.resolve({ status: 200, headers: {}, body: { results: {} } })
        : ask(question),
    ),
  ),
  pushing(
    'tag-of-nothing',
    'the tag of the activation is of zeros',
    mutating('activation', (question) => ({ ...question, body: { auth_tag: '0'.repeat(96) } })),
  ),
]

const TRUST: readonly Mutant[] = [
  pushing(
    'trusts-anybody',
    'no certificate is looked at',
    beginning(() => {
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    }),
  ),
  pushing(
    'any-name',
    'a certificate of the authority is good for every address',
    beginning(() => {
      tls.checkServerIdentity = () => undefined
    }),
  ),
  pushing('falls-back', 'a request that fails over TLS is sent without', {
    connect: (options) => {
      const secure = jsonClient(options)
      const { trust: _, ...open } = options
      const clear = jsonClient(open)
      const ask: typeof secure.ask = (question) =>
        secure.ask(question).catch((error) => {
          if (error instanceof NoAnswer) return clear.ask(question)
          throw error
        })
      return { ...secure, ask }
    },
  }),
  pushing('shows-a-certificate', 'a client certificate is shown', {
    connect: (options) => {
      const hosts = ['127.0.0.1']
      const client = selfSigned({ commonName: 'agent', hosts, now: Date.now() }).then((identity) =>
        jsonClient({ ...options, identity }),
      )
      return {
        ask: async (question) => (await client).ask(question),
        get: async (path) => (await client).get(path),
        close: () => void client.then((made) => made.close()),
      }
    },
  }),
  pushing(
    'listens',
    'a port is open',
    beginning(() => void createServer().listen(0, '127.0.0.1').unref()),
  ),
]

const TOKEN: readonly Mutant[] = [
  pushing(
    'token-left-out',
    'evidence is sent without the token',
    mutating('evidence', ({ headers: { authorization: _, ...headers } = {}, ...question }) => ({
      ...question,
      headers,
    })),
  ),
  pushing('token-told', 'the token is written to the log', {
    effects: {
      ...PUSH_AGENT_PARTS.effects,
      keep_token: (memory, event, environment) => {
        const next = PUSH_AGENT_PARTS.effects.keep_token(memory, event, environment)
        console.log(`token ${next.token?.value}`)
        return next
      },
    },
  }),
  pushing('follows-anywhere', 'a redirection is followed, with the token', {
    connect: (options) => {
      const client = jsonClient(options)
      const ask: typeof client.ask = async (question) => {
        const reply = await client.ask(question)
        const { location } = reply.headers
        if (reply.status < 300 || reply.status > 399 || location === undefined) return reply
        const { hostname: host, port, protocol } = new URL(location)
        const { trust, ...open } = options
        const secure = protocol === 'https:' && trust ? { trust } : {}
        const other = jsonClient({ ...open, ...secure, host, port: Number(port) })
        return other.ask(question).finally(() => other.close())
      }
      return { ...client, ask }
    },
  }),
  pushing('no-session', 'capabilities are sent before a session is opened', {
    ...moving(({ from }) => from === 'Registered', { to: 'Negotiating' }),
  }),
]

const PAUSES: readonly Mutant[] = [
  pushing(
    'never-waits',
    'what failed is tried again at once',
    withPushRules({ failurePause: () => 0 }),
  ),
  pushing(
    'waits-alike',
    'each wait after a failure is as long as the first',
    withPushRules({ failurePause: ({ initialDelay }) => initialDelay }),
  ),
  pushing('negotiates-at-once', 'capabilities that were refused are sent again at once', {
    moves: PUSH_MOVES.map((move) =>
      fails('Negotiating')(move)
        ? { ...move, to: 'Negotiating' as const, does: withoutBackingOff(move) }
        : move,
    ),
  }),
  pushing('failures-kept', 'failures before accepted evidence are counted on', {
    moves: PUSH_MOVES.map((move) =>
      move.on === 'accepted'
        ? { ...move, does: move.does.filter((effect) => effect !== 'forget_failures') }
        : move,
    ),
  }),
  pushing(
    'interval-fixed',
    'the interval of the settings is ignored',
    withPushRules({ nextInterval: () => 700 }),
  ),
]

const MOVES: readonly Mutant[] = [
  pushing(
    'gives-up-registering',
    'an agent that was not registered ends',
    moving(fails('Unregistered'), ended),
  ),
  pushing(
    'gives-up-negotiating',
    'an agent whose capabilities were refused ends',
    moving(({ from, on }) => from === 'Negotiating' && on === 'refused', ended),
  ),
  pushing(
    'gives-up-proving',
    'an agent whose session failed ends',
    moving(fails('Authenticating'), ended),
  ),
  pushing('evidence-again', 'evidence that was not taken is sent again', {
    moves: PUSH_MOVES.map((move) =>
      fails('Attesting')(move) ? { ...move, to: 'Attesting' as const, does: [] } : move,
    ),
  }),
  pushing(
    'evidence-twice',
    'evidence is sent twice',
    asking(async (question, ask) => {
      const reply = await ask(question)
      return isStep(question, 'evidence') && reply.status === 202 ? ask(question) : reply
    }),
  ),
  pushing('deadline-ignored', 'a challenge that has expired is answered', {
    effects: {
      ...PUSH_AGENT_PARTS.effects,
      keep_challenge: (memory, event) =>
        event.kind === 'challenged'
          ? { ...memory, challenge: { ...event.challenge, expiresAt: undefined } }
          : memory,
    },
  }),
]

/** Push agents with wrong behaviour: trust, waits and order of steps. */
export const PUSH_CONDUCT_MUTANTS: readonly Mutant[] = [
  ...REGISTRATION,
  ...TRUST,
  ...TOKEN,
  ...PAUSES,
  ...MOVES,
]
