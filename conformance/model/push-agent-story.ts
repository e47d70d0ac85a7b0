import type { VerifierDeed } from '../../simulator/services/scripted-verifier.ts'
import type { BehaviourName } from '../../simulator/services/verifier-behaviours.ts'
import { checkLists, LIST_REQUIREMENTS } from '../oracle/check-lists.ts'
import { authorizationOf } from '../oracle/story-parts.ts'
import type { PushAgentProcess } from '../peers/push-agent-process.ts'
import type { PushDeed, PushStep } from '../peers/push-timeline.ts'
import type { Context } from '../scenario.ts'
import type { Step } from './telling.ts'

/** A push agent between servers that the judge plays, and what it was told so far. */
export interface PushAgentStory {
  readonly context: Context
  readonly agent: PushAgentProcess
  /** `Authorization` headers that were answered with 401: nobody may show them again. */
  readonly refused: Set<string>
  /** Deeds that were looked at already. */
  seen: number
  /** Evidence that was taken since the agent last failed, or none: then its waits may be long. */
  rested: boolean
}

export type PushAgentStep = Step<PushAgentStory>

export const WATCHED = [
  'PSH-TOKEN-HEADER',
  'PSH-STATE-FROM-NEGOTIATING',
  'PSH-ONE-EVIDENCE-PER-CYCLE',
  ...LIST_REQUIREMENTS,
] as const

/** Milliseconds of its first wait, and of its longest: the model has to tell them from chance. */
const BACKOFF = 150
const BACKOFF_MAX = 20_000

/** Begins with an agent that has attested once. */
export async function beginPushAgentStory(context: Context): Promise<PushAgentStory> {
  const agent = await context.pushAgents.start({
    ...{ interval: 1, backoff: BACKOFF, backoffMax: BACKOFF_MAX },
    verifier: { secondsToNext: 1 },
  })
  await agent.took('evidence')
  return { context, agent, refused: new Set(), seen: 0, rested: true }
}

/** Has the verifier answer so from now on, and waits until the agent took a step so often. */
export async function meets(
  { agent }: PushAgentStory,
  script: readonly VerifierDeed[],
  { step, times = 1 }: { readonly step: PushStep; readonly times?: number },
): Promise<readonly PushDeed[]> {
  const from = agent.deeds.length
  agent.verifier.play(script)
  return agent.took(step, times, from)
}

/**
 * Has capabilities be answered so, and gives those that were and the next ones. What was under way when the verifier was
 * told may have been answered well still.
 */
export async function retried(
  story: PushAgentStory,
  does: BehaviourName,
  times = 1,
): Promise<readonly PushDeed[]> {
  const from = story.agent.deeds.length
  const wanted = { step: 'capabilities', times: times + 1 } as const
  const [first, ...rest] = await meets(story, [{ on: 'capabilities', does, times }], wanted)
  if (first === undefined || first.did === does) return [first, ...rest].filter(isThere)
  return (await story.agent.took('capabilities', times + 2, from)).slice(1, times + 2)
}

function isThere(deed: PushDeed | undefined): deed is PushDeed {
  return deed !== undefined
}

/** Takes a step, and holds everything that the agent said meanwhile against the model. */
export async function takeAsPushAgent(story: PushAgentStory, step: PushAgentStep): Promise<void> {
  story.context.note(`step: ${step.name}`)
  await step.run(story)
  await checkSaid(story)
}

async function checkSaid(story: PushAgentStory): Promise<void> {
  const { agent, context } = story
  const said = agent.deeds.slice(story.seen)
  const before = agent.deeds.slice(0, story.seen)
  story.seen = agent.deeds.length
  checkRefused(story, said)
  checkMoves(story, before.at(-1), said)
  const evidence = agent.deeds.flatMap(({ step, attestation }) =>
    step === 'evidence' && attestation ? [attestation.index] : [],
  )
  context
    .check('PSH-ONE-EVIDENCE-PER-CYCLE', 'attestations that were sent evidence more than once')
    .of(evidence.filter((index, at) => evidence.indexOf(index) !== at))
    .is([])
  await checkLists(context, agent.deeds.map(asCounted))
}

/** The verifier goes on from where evidence ended that it read, whatever it answered. */
function asCounted(deed: PushDeed): PushDeed {
  const isRead = deed.step === 'evidence' && deed.attestation !== undefined
  return isRead ? { ...deed, answer: { status: 202 } } : deed
}

/** A token that was refused is not shown again. */
function checkRefused({ context, refused }: PushAgentStory, said: readonly PushDeed[]): void {
  const shown: string[] = []
  for (const deed of said) {
    const header = authorizationOf(deed)
    if (header === undefined) continue
    if (refused.has(header)) shown.push(deed.step)
    if (deed.answer !== 'reset' && deed.answer.status === 401) refused.add(header)
  }
  context
    .check('PSH-TOKEN-HEADER', 'requests with a token that was refused before')
    .of(shown)
    .is([])
}

function hasFailed({ answer }: PushDeed): boolean {
  return answer === 'reset' || answer.status >= 400
}

/** "Push agent client state machine" of the interface document: after a failure the agent goes on from Negotiating. */
function checkMoves(
  { context }: PushAgentStory,
  last: PushDeed | undefined,
  said: readonly PushDeed[],
): void {
  const pairs = said.map((deed, at) => [at === 0 ? last : said[at - 1], deed] as const)
  const wrong = pairs.filter(
    ([before, deed]) => before !== undefined && hasFailed(before) && deed.step === 'evidence',
  )
  context
    .check('PSH-STATE-FROM-NEGOTIATING', 'evidence right after a failure')
    .of(wrong.length)
    .is(0)
}
