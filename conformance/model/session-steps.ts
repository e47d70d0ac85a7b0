import { REFUSED } from '../attempt/check.ts'
import { attributes, type Reply } from '../attempt/reply.ts'
import { bearing, NO_TOKEN } from '../client/agents/session-replies.ts'
import type { Story, VerifierStep } from './story.ts'
import { isGood, isPast, latestToken, type Sure, type TokenModel } from './verifier-model.ts'

/** Milliseconds between two instants of a reply; undefined where it does not have both. */
function span(reply: Reply, from: string, to: string): number | undefined {
  const ms = Date.parse(String(attributes(reply, to))) - Date.parse(String(attributes(reply, from)))
  return Number.isNaN(ms) ? undefined : ms
}

async function openSession(story: Story): Promise<void> {
  const { agent, context, kept, model } = story
  const reply = await agent.openSession()
  if (model.enrolled)
    context.check('SES-CREATE-STATUS', 'HTTP status of the opening').of(reply.status).is(200)
  const lives = span(reply, 'created_at', 'challenges_expire_at')
  kept.session = lives === undefined ? undefined : reply
  kept.proof = undefined
  story.model = {
    ...model,
    session: lives === undefined ? undefined : opened(model.enrolment, story.now() + lives),
  }
}

function opened(enrolment: number, endsAt: number) {
  return { enrolment, endsAt, restarted: false, gaveToken: false }
}

/** Whether the answer to the open challenge is worth a token (interface document, L203, L319, L395). */
function earnsToken({ model, now }: Story): Sure {
  const { session, enrolled, enrolment } = model
  const late = session === undefined ? 'yes' : isPast(session.endsAt, now())
  if (!enrolled || late === 'yes') return 'no'
  const sure = session?.enrolment === enrolment && session.restarted === false && late === 'no'
  return sure ? 'yes' : 'unclear'
}

function requirementOfNoToken({ model }: Story): string {
  return model.enrolled ? 'SES-PROOF-LATE-NO-TOKEN' : 'SES-PROOF-BY-ENROLLED-KEY'
}

async function answerSession(story: Story): Promise<void> {
  const { agent, context, kept } = story
  if (kept.session === undefined) return
  const earns = earnsToken(story)
  kept.proof = await agent.makeProof(kept.session)
  const reply = await agent.sendProof(kept.proof)
  const about = (id: string) => context.check(id, 'answer to the proof of possession')
  if (earns === 'no')
    about(requirementOfNoToken(story))
      .of(reply)
      .matches(...NO_TOKEN)
  if (earns === 'yes')
    about('SES-PASS-TOKEN')
      .of(typeof attributes(reply, 'token'))
      .is('string')
  takeToken(story, reply)
}

/** Takes what the verifier gave, whether it had to or not. */
function takeToken(story: Story, reply: Reply): void {
  const { model } = story
  const token = attributes(reply, 'token')
  if (typeof token !== 'string' || model.session === undefined) return
  const lives = span(reply, 'response_received_at', 'token_expires_at') ?? 0
  const given: TokenModel = {
    speaker: { ...bearing(token), name: `agent, token ${model.tokens.length + 1}` },
    enrolment: model.enrolment,
    endsAt: story.now() + lives,
    extended: false,
  }
  story.model = {
    ...model,
    session: { ...model.session, gaveToken: true },
    tokens: [...model.tokens, given],
  }
}

function readOwn({ agent, context }: Story, { speaker }: TokenModel): Promise<Reply> {
  const params = { agent_id: agent.id }
  return context.verifier.call('list-attestations', { params, as: speaker })
}

/** The requirement that says why a token is worth nothing. */
export function requirementOfDeadToken({ model }: Story, token: TokenModel): string {
  if (!model.enrolled) return 'SES-TOKEN-ENDS-DELETED'
  return token.enrolment === model.enrolment ? 'SES-TOKEN-ENDS' : 'SES-TOKEN-ENDS-REENROLLED'
}

async function useToken(story: Story, token: TokenModel): Promise<void> {
  const good = isGood(story.model, token, story.now())
  const reply = await readOwn(story, token)
  const about = (id: string) => story.context.check(id, "list of the agent's own, with its token")
  if (good === 'yes') about('SES-TOKEN-LATER-REQUESTS').of(reply.status).is(200)
  if (good === 'no')
    about(requirementOfDeadToken(story, token))
      .of(reply)
      .matches(...REFUSED)
}

const OF_PROOF = ['SES-PASS-TOKEN', 'SES-PROOF-LATE-NO-TOKEN', 'SES-PROOF-BY-ENROLLED-KEY']
const OF_TOKEN = [
  ...['SES-TOKEN-LATER-REQUESTS', 'SES-TOKEN-ENDS'],
  ...['SES-TOKEN-ENDS-DELETED', 'SES-TOKEN-ENDS-REENROLLED'],
]

/** Sessions and tokens. */
export const SESSION_STEPS: readonly VerifierStep[] = [
  {
    name: 'log in',
    weight: 5,
    requirements: ['SES-CREATE-STATUS', ...OF_PROOF],
    possible: () => true,
    async run(story) {
      await openSession(story)
      await answerSession(story)
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
        .check('SES-PROOF-REPLAYED', 'answer to a proof that had its token already')
        .of(reply)
        .matches(...NO_TOKEN)
    },
  },
  {
    name: 'use the token',
    requirements: OF_TOKEN,
    possible: ({ model }) => model.tokens.length > 0,
    async run(story) {
      const token = latestToken(story.model)
      if (token !== undefined) await useToken(story, token)
    },
  },
  {
    name: 'use the first token',
    requirements: OF_TOKEN,
    possible: ({ model }) => model.tokens.length > 1,
    async run(story) {
      const [token] = story.model.tokens
      if (token !== undefined) await useToken(story, token)
    },
  },
]
