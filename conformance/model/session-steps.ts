import { REFUSED } from '../attempt/check.ts'
import { attributes, type Reply } from '../attempt/reply.ts'
import { bearing, NO_TOKEN } from '../client/agents/session-replies.ts'
import type { Sequence, VerifierStep } from './sequence.ts'
import { isGood, isPast, latestToken, type Sure, type TokenModel } from './verifier-model.ts'

/** Milliseconds between two timestamps of a reply; undefined if one is missing. */
function span(reply: Reply, from: string, to: string): number | undefined {
  const ms = Date.parse(String(attributes(reply, to))) - Date.parse(String(attributes(reply, from)))
  return Number.isNaN(ms) ? undefined : ms
}

async function openSession(sequence: Sequence): Promise<void> {
  const { agent, context, kept, model } = sequence
  const reply = await agent.openSession()
  if (model.enrolled)
    context.check('SES-CREATE-STATUS', 'HTTP status of the opening').of(reply.status).is(200)
  const lives = span(reply, 'created_at', 'challenges_expire_at')
  kept.session = lives === undefined ? undefined : reply
  kept.proof = undefined
  sequence.model = {
    ...model,
    session: lives === undefined ? undefined : opened(model.enrolment, sequence.now() + lives),
  }
}

function opened(enrolment: number, endsAt: number) {
  return { enrolment, endsAt, restarted: false, gaveToken: false }
}

/** Whether a proof for the open challenge must earn a token (interface document, L203, L319, L395). */
function earnsToken({ model, now }: Sequence): Sure {
  const { session, enrolled, enrolment } = model
  const late = session === undefined ? 'yes' : isPast(session.endsAt, now())
  if (!enrolled || late === 'yes') return 'no'
  const sure = session?.enrolment === enrolment && session.restarted === false && late === 'no'
  return sure ? 'yes' : 'unclear'
}

function requirementOfNoToken({ model }: Sequence): string {
  return model.enrolled ? 'SES-PROOF-LATE-NO-TOKEN' : 'SES-PROOF-BY-ENROLLED-KEY'
}

async function answerSession(sequence: Sequence): Promise<void> {
  const { agent, context, kept } = sequence
  if (kept.session === undefined) return
  const earns = earnsToken(sequence)
  kept.proof = await agent.makeProof(kept.session)
  const reply = await agent.sendProof(kept.proof)
  const about = (id: string) => context.check(id, 'answer to the proof of possession')
  if (earns === 'no')
    about(requirementOfNoToken(sequence))
      .of(reply)
      .matches(...NO_TOKEN)
  if (earns === 'yes')
    about('SES-PASS-TOKEN')
      .of(typeof attributes(reply, 'token'))
      .is('string')
  takeToken(sequence, reply)
}

/** Adds an issued token to the model, whether or not the verifier had to issue it. */
function takeToken(sequence: Sequence, reply: Reply): void {
  const { model } = sequence
  const token = attributes(reply, 'token')
  if (typeof token !== 'string' || model.session === undefined) return
  const lives = span(reply, 'response_received_at', 'token_expires_at') ?? 0
  const given: TokenModel = {
    credentials: { ...bearing(token), name: `agent, token ${model.tokens.length + 1}` },
    enrolment: model.enrolment,
    endsAt: sequence.now() + lives,
    extended: false,
  }
  sequence.model = {
    ...model,
    session: { ...model.session, gaveToken: true },
    tokens: [...model.tokens, given],
  }
}

function readOwn({ agent, context }: Sequence, { credentials }: TokenModel): Promise<Reply> {
  const params = { agent_id: agent.id }
  return context.verifier.call('list-attestations', { params, as: credentials })
}

/** The requirement that makes a token invalid. */
export function requirementOfDeadToken({ model }: Sequence, token: TokenModel): string {
  if (!model.enrolled) return 'SES-TOKEN-ENDS-DELETED'
  return token.enrolment === model.enrolment ? 'SES-TOKEN-ENDS' : 'SES-TOKEN-ENDS-REENROLLED'
}

async function useToken(sequence: Sequence, token: TokenModel): Promise<void> {
  const good = isGood(sequence.model, token, sequence.now())
  const reply = await readOwn(sequence, token)
  const about = (id: string) =>
    sequence.context.check(id, "list of the agent's own, with its token")
  if (good === 'yes') about('SES-TOKEN-LATER-REQUESTS').of(reply.status).is(200)
  if (good === 'no')
    about(requirementOfDeadToken(sequence, token))
      .of(reply)
      .matches(...REFUSED)
}

const OF_PROOF = ['SES-PASS-TOKEN', 'SES-PROOF-LATE-NO-TOKEN', 'SES-PROOF-BY-ENROLLED-KEY']
const OF_TOKEN = [
  ...['SES-TOKEN-LATER-REQUESTS', 'SES-TOKEN-ENDS'],
  ...['SES-TOKEN-ENDS-DELETED', 'SES-TOKEN-ENDS-REENROLLED'],
]

/** Steps with sessions and tokens. */
export const SESSION_STEPS: readonly VerifierStep[] = [
  {
    name: 'log in',
    weight: 5,
    requirements: ['SES-CREATE-STATUS', ...OF_PROOF],
    possible: () => true,
    async run(sequence) {
      await openSession(sequence)
      await answerSession(sequence)
    },
  },
  {
    name: 'open a session',
    requirements: ['SES-CREATE-STATUS'],
    possible: () => true,
    run: openSession,
  },
  {
    name: 'answer the challenge of the session',
    requirements: OF_PROOF,
    possible: ({ model }) => model.session?.gaveToken === false,
    run: answerSession,
  },
  {
    name: 'send the proof again',
    weight: 4,
    requirements: ['SES-PROOF-REPLAYED'],
    possible: ({ model, kept }) => model.session?.gaveToken === true && kept.proof !== undefined,
    async run({ agent, context, kept }) {
      if (kept.proof === undefined) return
      const reply = await agent.sendProof(kept.proof)
      context
        .check('SES-PROOF-REPLAYED', 'answer to a replayed proof')
        .of(reply)
        .matches(...NO_TOKEN)
    },
  },
  {
    name: 'use the token',
    requirements: OF_TOKEN,
    possible: ({ model }) => model.tokens.length > 0,
    async run(sequence) {
      const token = latestToken(sequence.model)
      if (token !== undefined) await useToken(sequence, token)
    },
  },
  {
    name: 'use the first token',
    requirements: OF_TOKEN,
    possible: ({ model }) => model.tokens.length > 1,
    async run(sequence) {
      const [token] = sequence.model.tokens
      if (token !== undefined) await useToken(sequence, token)
    },
  },
]
