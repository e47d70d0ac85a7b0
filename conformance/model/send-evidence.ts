import { attributes, isSuccess, type Reply } from '../attempt/reply.ts'
import { collectEvidence, type Negotiation } from '../client/agents/evidence.ts'
import type { Sequence } from './sequence.ts'
import {
  afterEvent,
  isGood,
  isPast,
  isSilent,
  latestToken,
  type Sure,
  stageAfter,
  type TokenModel,
  withAttestation,
} from './verifier-model.ts'

/** Submitted evidence, its defects and its timing. */
interface Submitted {
  readonly negotiation: Negotiation
  readonly token: TokenModel
  /** Whether the quote is over a different challenge. */
  readonly isStale: boolean
  readonly late: Sure
  /** Whether the machine has not rebooted since the attestation started. */
  readonly sameBoot: boolean
}

/** Sends evidence for a waiting attestation, optionally over another `challenge`, and checks the reply and the verdict. */
export async function sendEvidence(
  sequence: Sequence,
  negotiation: Negotiation | undefined,
  challenge?: Uint8Array,
): Promise<void> {
  const { agent, context, kept, model } = sequence
  const { verifier } = context
  const token = latestToken(model)
  const begun = model.attestations.find(({ index }) => index === negotiation?.index)
  if (negotiation === undefined || token === undefined || begun === undefined) return
  const submitted: Submitted = {
    ...{ negotiation, token, isStale: challenge !== undefined },
    late: isPast(begun.endsAt, sequence.now()),
    sameBoot: begun.boot === model.boot,
  }
  const defect = challenge === undefined ? {} : { challenge }
  const body = await collectEvidence(agent.machine, negotiation, defect, verifier.dialect)
  const { index } = negotiation
  const params = { agent_id: agent.id, index }
  const reply = await verifier.call('submit', { as: token.credentials, params, body })
  checkTaken(sequence, submitted, reply)
  if (!isSuccess(reply)) return
  kept.sent = { index, body }
  sequence.model = afterEvent(sequence.model, 'evidence', sequence.now())
  await awaitVerdict(sequence, submitted)
}

function checkTaken(sequence: Sequence, { token, late, sameBoot }: Submitted, reply: Reply): void {
  const { context, model } = sequence
  const silent = isSilent(model, sequence.now(), context.quoteIntervalMs)
  const isSure = sameBoot && late === 'no' && silent === 'no'
  if (isSure && isGood(model, token, sequence.now()) === 'yes')
    context.check('ATT-SUBMIT-STATUS', 'HTTP status of the evidence').of(reply.status).is(202)
}

async function awaitVerdict(sequence: Sequence, submitted: Submitted): Promise<void> {
  const { agent, context, model } = sequence
  const { index } = submitted.negotiation
  const settled = await agent.verdict(submitted.negotiation)
  const evaluation = attributes(settled, 'evaluation')
  const isOver = evaluation === 'pass' || evaluation === 'fail'
  context
    .check('ATT-STAGE-EVALUATING-TO-COMPLETE', 'whether the evaluation completes')
    .of(isOver)
    .is(true)
  if (!isOver) return
  checkVerdict(sequence, submitted, settled)
  const stage = stageAfter(stageAfter('awaiting_evidence', 'evidence'), 'verdict')
  const moved = withAttestation(model, { index, evaluation, ...(stage && { stage }) })
  sequence.model = evaluation === 'pass' ? extended(moved) : moved
}

/** A passing attestation may extend the tokens of its agent (ambiguity REFRESH). */
function extended(model: Sequence['model']): Sequence['model'] {
  return { ...model, tokens: model.tokens.map((one) => ({ ...one, extended: true })) }
}

function checkVerdict({ context, model }: Sequence, submitted: Submitted, settled: Reply): void {
  const { isStale, late, sameBoot } = submitted
  const about = (id: string, name: 'evaluation' | 'failure_reason') =>
    context.check(id, name).of(attributes(settled, name))
  if (late === 'yes') about('ATT-SUBMIT-LATE-NO-PASS', 'evaluation').isNot('pass')
  else if (isStale) {
    about('ATT-QUOTE-OVER-CHALLENGE', 'evaluation').is('fail')
    if (!model.tampered && sameBoot)
      about('ATT-REASON-BROKEN', 'failure_reason').is('broken_evidence_chain')
  } else if (model.tampered) {
    about('ATT-RUNTIME-POLICY-JUDGES', 'evaluation').is('fail')
    if (sameBoot) about('ATT-REASON-POLICY', 'failure_reason').is('policy_violation')
  } else if (sameBoot && late === 'no') about('ATT-EVALUATION-PASS', 'evaluation').is('pass')
}
