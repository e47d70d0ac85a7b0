import { toHex } from '../../simulator/tpm/write.ts'
import { REFUSED } from '../attempt/check.ts'
import { at, attributes, isSuccess, type Reply } from '../attempt/reply.ts'
import { collectEvidence, type Negotiation, readNegotiation } from '../client/agents/evidence.ts'
import { sendEvidence } from './send-evidence.ts'
import type { Sequence, VerifierStep } from './sequence.ts'
import { requirementOfDeadToken } from './session-steps.ts'
import {
  afterEvent,
  isGood,
  isSilent,
  latestAttestation,
  latestToken,
  stageAfter,
  type TokenModel,
  type VerifierModel,
} from './verifier-model.ts'

const RETRY_LATER: readonly (number | undefined)[] = [429, 503]

/** The requirement that capabilities of an agent within its quote intervals must be accepted. */
function requirementOfTaken(model: VerifierModel): string {
  const { acceptance, attestations, enrolment } = model
  if (latestAttestation(model)?.evaluation === 'fail') return 'ATT-FAIL-NEXT-ALLOWED'
  if (acceptance.evidenceAt !== undefined) return 'ATT-FLAG-BEFORE-TIMEOUT'
  if (attestations.length > 0) return 'ATT-FLAG-RECOVERS-ADMIN'
  return enrolment > 1 ? 'ATT-FLAG-RECOVERS-REGISTRATION' : 'SES-TOKEN-WORKS'
}

function checkOffered(sequence: Sequence, token: TokenModel, reply: Reply): void {
  const { context, model } = sequence
  const good = isGood(model, token, sequence.now())
  const silent = isSilent(model, sequence.now(), context.quoteIntervalMs)
  const about = (id: string) => context.check(id, 'answer to the capabilities')
  if (good === 'no')
    about(requirementOfDeadToken(sequence, token))
      .of(reply)
      .matches(...REFUSED)
  else if (good === 'yes' && silent === 'yes') {
    const row = model.acceptance.refused ? 'ATT-FLAG-STAYS' : 'ATT-FLAG-TIMEOUT'
    if (
      about(row)
        .of(reply)
        .matches(...REFUSED)
    )
      about('ATT-FLAG-403').of(reply.status).is(403)
    sequence.model = { ...model, acceptance: { ...model.acceptance, refused: true } }
  } else if (good === 'yes' && silent === 'no')
    about(requirementOfTaken(model))
      .of(reply)
      .matches(
        'HTTP 201, or 429 or 503 to retry later',
        ({ status }) => status === 201 || RETRY_LATER.includes(status),
      )
}

async function sendCapabilities(sequence: Sequence): Promise<void> {
  const { agent, context } = sequence
  const token = latestToken(sequence.model)
  if (token === undefined) return
  const reply = await context.verifier.patiently(() => agent.offer(token.credentials))
  checkOffered(sequence, token, reply)
  if (isSuccess(reply)) begin(sequence, readNegotiation(reply, context.verifier.dialect))
}

/** Adds a new attestation to the model, whether or not the verifier had to accept it. */
function begin(sequence: Sequence, negotiation: Negotiation): void {
  const { kept, model } = sequence
  checkBegun(sequence, negotiation)
  const { index, reply } = negotiation
  kept.negotiations.set(index, negotiation)
  kept.challenges.add(toHex(negotiation.challenge))
  const stage = stageAfter(undefined, 'capabilities') ?? 'awaiting_evidence'
  const lives =
    Date.parse(String(attributes(reply, 'challenges_expire_at'))) -
    Date.parse(String(attributes(reply, 'capabilities_received_at')))
  const begun = {
    ...({ index, stage, evaluation: 'pending', boot: model.boot } as const),
    endsAt: sequence.now() + (Number.isNaN(lives) ? 0 : lives),
  }
  const after = { ...model, attestations: [...model.attestations, begun] }
  sequence.model = afterEvent(after, 'capabilities', sequence.now())
}

function checkBegun(
  { context, kept, model }: Sequence,
  { index, challenge, requested }: Negotiation,
): void {
  const { check } = context
  check('ATT-CHALLENGE-FRESH', 'the challenge was issued before in this sequence')
    .of(kept.challenges.has(toHex(challenge)))
    .is(false)
  const before = latestAttestation(model)
  if (before !== undefined)
    check('ATT-INDEX-INCREMENTS', 'index of the new attestation')
      .of(Number(index))
      .is(Number(before.index) + 1)
  const list = requested.find(({ evidence_type }) => evidence_type === 'ima_log')
  const hasPassed = model.attestations.some(
    ({ boot, evaluation }) => boot === model.boot && evaluation === 'pass',
  )
  if (list !== undefined && !hasPassed)
    check('ATT-SELECTION-OFFSET-REBOOT', 'starting_offset without a pass since the boot')
      .of(Number(at(list, 'chosen_parameters', 'starting_offset') ?? 0))
      .is(0)
}

/** An attestation before the latest one that still awaits evidence. */
function olderWaiting({ model, kept }: Sequence): Negotiation | undefined {
  const older = model.attestations.slice(0, -1)
  const waiting = older.find(({ stage }) => stage === 'awaiting_evidence')
  return waiting && kept.negotiations.get(waiting.index)
}

/** The negotiation of the latest attestation, if it awaits evidence. */
function latestWaiting({ model, kept }: Sequence): Negotiation | undefined {
  const latest = latestAttestation(model)
  if (latest?.stage !== 'awaiting_evidence') return undefined
  return kept.negotiations.get(latest.index)
}

async function sendToOlder(sequence: Sequence): Promise<void> {
  const { agent, context, model } = sequence
  const older = olderWaiting(sequence)
  const token = latestToken(model)
  if (older === undefined || token === undefined) return
  const { dialect } = context.verifier
  const body = await collectEvidence(agent.machine, older, {}, dialect)
  const params = { agent_id: agent.id, index: older.index }
  const reply = await context.verifier.call('submit', { as: token.credentials, params, body })
  context
    .check('ATT-LATEST-ONLY', 'answer to evidence for an older attestation')
    .of(reply)
    .matches(...REFUSED)
}

async function sendAgain(sequence: Sequence): Promise<void> {
  const { agent, context, kept, model } = sequence
  const token = latestToken(model)
  if (kept.sent === undefined || token === undefined) return
  const { index, body } = kept.sent
  const params = { agent_id: agent.id, index }
  const reply = await context.verifier.call('submit', { as: token.credentials, params, body })
  if (index !== latestAttestation(model)?.index)
    context
      .check('ATT-LATEST-ONLY', 'answer to evidence for an older attestation')
      .of(reply)
      .matches(...REFUSED)
  if (!isSuccess(reply)) return
  await context.verifier.settled(agent.id, index)
  sequence.model = afterEvent(model, 'evidence', sequence.now())
}

const OF_OFFER = [
  ...['SES-TOKEN-ENDS', 'SES-TOKEN-ENDS-DELETED', 'SES-TOKEN-ENDS-REENROLLED', 'SES-TOKEN-WORKS'],
  ...['ATT-FLAG-STAYS', 'ATT-FLAG-TIMEOUT', 'ATT-FLAG-403', 'ATT-FLAG-BEFORE-TIMEOUT'],
  ...['ATT-FAIL-NEXT-ALLOWED', 'ATT-FLAG-RECOVERS-ADMIN', 'ATT-FLAG-RECOVERS-REGISTRATION'],
  ...['ATT-CHALLENGE-FRESH', 'ATT-INDEX-INCREMENTS', 'ATT-SELECTION-OFFSET-REBOOT'],
]
const OF_EVIDENCE = [
  ...['ATT-SUBMIT-STATUS', 'ATT-SUBMIT-LATE-NO-PASS', 'ATT-STAGE-EVALUATING-TO-COMPLETE'],
  ...['ATT-EVALUATION-PASS', 'ATT-RUNTIME-POLICY-JUDGES', 'ATT-REASON-POLICY'],
  ...['ATT-QUOTE-OVER-CHALLENGE', 'ATT-REASON-BROKEN'],
]

/** Steps with capabilities and evidence. */
export const ATTESTATION_STEPS: readonly VerifierStep[] = [
  {
    name: 'send capabilities',
    weight: 4,
    requirements: OF_OFFER,
    possible: ({ model }) => model.tokens.length > 0,
    run: sendCapabilities,
  },
  {
    name: 'send the evidence',
    weight: 3,
    requirements: OF_EVIDENCE,
    possible: (sequence) => latestWaiting(sequence) !== undefined,
    run: (sequence) => sendEvidence(sequence, latestWaiting(sequence)),
  },
  {
    name: 'attest',
    weight: 10,
    requirements: [...OF_OFFER, ...OF_EVIDENCE],
    possible: ({ model }) => model.tokens.length > 0,
    async run(sequence) {
      const before = latestAttestation(sequence.model)?.index
      await sendCapabilities(sequence)
      const begun = latestWaiting(sequence)
      if (begun !== undefined && begun.index !== before) await sendEvidence(sequence, begun)
    },
  },
  {
    name: 'send evidence over an older challenge',
    requirements: OF_EVIDENCE,
    possible: (sequence) =>
      latestWaiting(sequence) !== undefined && sequence.kept.negotiations.size > 1,
    run: (sequence) => {
      const [oldest] = sequence.kept.negotiations.values()
      return sendEvidence(sequence, latestWaiting(sequence), oldest?.challenge)
    },
  },
  {
    name: 'send evidence for an older attestation',
    requirements: ['ATT-LATEST-ONLY'],
    possible: (sequence) => olderWaiting(sequence) !== undefined,
    run: sendToOlder,
  },
  {
    name: 'send the last evidence again',
    requirements: ['ATT-LATEST-ONLY'],
    possible: ({ kept, model }) => kept.sent !== undefined && model.tokens.length > 0,
    run: sendAgain,
  },
]
