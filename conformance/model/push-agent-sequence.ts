import type { VerifierScriptStep } from '../../simulator/services/scripted-verifier.ts'
import type { BehaviourName } from '../../simulator/services/verifier-behaviours.ts'
import { checkLists, LIST_REQUIREMENTS } from '../oracle/check-lists.ts'
import { authorizationOf } from '../oracle/recording-parts.ts'
import type { PushAgentProcess } from '../peers/push-agent-process.ts'
import type { PushOperation, PushStep } from '../peers/push-timeline.ts'
import type { Context } from '../scenario.ts'
import type { Step } from './model.ts'

/** A push agent with simulated servers, and the state of the sequence. */
export interface PushAgentSequence {
  readonly context: Context
  readonly agent: PushAgentProcess
  /** `Authorization` headers that were answered with 401; the agent must not send them again. */
  readonly refused: Set<string>
  /** Number of operations already checked. */
  seen: number
  /** Whether evidence was accepted since the last failure; otherwise waits may be long. */
  rested: boolean
}

export type PushAgentStep = Step<PushAgentSequence>

export const WATCHED = [
  'PSH-TOKEN-HEADER',
  'PSH-STATE-FROM-NEGOTIATING',
  'PSH-ONE-EVIDENCE-PER-CYCLE',
  ...LIST_REQUIREMENTS,
] as const

/** First and longest wait in milliseconds, far enough apart to distinguish backoff from jitter. */
const BACKOFF = 150
const BACKOFF_MAX = 20_000

/** Starts a sequence with an agent that has attested once. */
export async function beginPushAgentSequence(context: Context): Promise<PushAgentSequence> {
  const agent = await context.pushAgents.start({
    ...{ interval: 1, backoff: BACKOFF, backoffMax: BACKOFF_MAX },
    verifier: { secondsToNext: 1 },
  })
  await agent.took('evidence')
  return { context, agent, refused: new Set(), seen: 0, rested: true }
}

/** Sets the verifier's script and waits until the agent has taken a step `times` times. */
export async function meets(
  { agent }: PushAgentSequence,
  script: readonly VerifierScriptStep[],
  { step, times = 1 }: { readonly step: PushStep; readonly times?: number },
): Promise<readonly PushOperation[]> {
  const from = agent.operations.length
  agent.verifier.play(script)
  return agent.took(step, times, from)
}

/**
 * Makes the verifier answer capabilities with `does`, and returns these operations and the next one. A request in
 * progress when the script changes may still succeed; it is left out.
 */
export async function retried(
  sequence: PushAgentSequence,
  does: BehaviourName,
  times = 1,
): Promise<readonly PushOperation[]> {
  const from = sequence.agent.operations.length
  const wanted = { step: 'capabilities', times: times + 1 } as const
  const [first, ...rest] = await meets(sequence, [{ on: 'capabilities', does, times }], wanted)
  if (first === undefined || first.did === does) return [first, ...rest].filter(isThere)
  return (await sequence.agent.took('capabilities', times + 2, from)).slice(1, times + 2)
}

function isThere(operation: PushOperation | undefined): operation is PushOperation {
  return operation !== undefined
}

/** Runs a step and compares all requests of the agent during it with the model. */
export async function takeAsPushAgent(
  sequence: PushAgentSequence,
  step: PushAgentStep,
): Promise<void> {
  sequence.context.note(`step: ${step.name}`)
  await step.run(sequence)
  await checkOperations(sequence)
}

async function checkOperations(sequence: PushAgentSequence): Promise<void> {
  const { agent, context } = sequence
  const recent = agent.operations.slice(sequence.seen)
  const before = agent.operations.slice(0, sequence.seen)
  sequence.seen = agent.operations.length
  checkRefused(sequence, recent)
  checkMoves(sequence, before.at(-1), recent)
  const evidence = agent.operations.flatMap(({ step, attestation }) =>
    step === 'evidence' && attestation ? [attestation.index] : [],
  )
  context
    .check('PSH-ONE-EVIDENCE-PER-CYCLE', 'attestations that were sent evidence more than once')
    .of(evidence.filter((index, at) => evidence.indexOf(index) !== at))
    .is([])
  await checkLists(context, agent.operations.map(asCounted))
}

/** Treats evidence that the verifier parsed as accepted, because its next offset follows from that evidence. */
function asCounted(operation: PushOperation): PushOperation {
  const isRead = operation.step === 'evidence' && operation.attestation !== undefined
  return isRead ? { ...operation, answer: { status: 202 } } : operation
}

/** Checks that the agent does not send a refused token again. */
function checkRefused(
  { context, refused }: PushAgentSequence,
  recent: readonly PushOperation[],
): void {
  const shown: string[] = []
  for (const operation of recent) {
    const header = authorizationOf(operation)
    if (header === undefined) continue
    if (refused.has(header)) shown.push(operation.step)
    if (operation.answer !== 'reset' && operation.answer.status === 401) refused.add(header)
  }
  context
    .check('PSH-TOKEN-HEADER', 'requests with a token that was refused before')
    .of(shown)
    .is([])
}

function hasFailed({ answer }: PushOperation): boolean {
  return answer === 'reset' || answer.status >= 400
}

/** Checks that a failure returns the agent to Negotiating (interface document, "Push agent client state machine"). */
function checkMoves(
  { context }: PushAgentSequence,
  last: PushOperation | undefined,
  recent: readonly PushOperation[],
): void {
  const pairs = recent.map(
    (operation, at) => [at === 0 ? last : recent[at - 1], operation] as const,
  )
  const wrong = pairs.filter(
    ([before, operation]) =>
      before !== undefined && hasFailed(before) && operation.step === 'evidence',
  )
  context
    .check('PSH-STATE-FROM-NEGOTIATING', 'evidence right after a failure')
    .of(wrong.length)
    .is(0)
}
