import type { FailureKind } from '../../evidence/findings.ts'
import { finding } from '../../evidence/findings.ts'
import type { QuoteClock } from '../../evidence/quote/quote-case.ts'
import { type JsonReply, NoAnswer } from '../../http-client/json-client.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { attempt } from '../../tpm/codec.ts'
import { agentAfter } from '../agent-after.ts'
import { evaluatedAgent } from '../evaluation/evaluated-agent.ts'
import type { PolicyReference, PolledTask, QuotedHost, TaskResult } from '../evaluation/task.ts'
import { loadBootPolicy } from '../policies/load-boot-policy.ts'
import { referToPolicy, withStoredPcrs } from '../policies/refer-to-policy.ts'
import { readCarried } from '../push/carried.ts'
import { requiredEvidence } from '../push/selection/required-evidence.ts'
import { agentVersion, refusedVersion, settleVersion } from './agent-version.ts'
import { hostOf } from './deep-poll.ts'
import { failureOf, isTop, refused, silence, unanswered } from './failures.ts'
import type { AgentLine, PollOutcome, PollParts } from './poll-parts.ts'
import { ownQuote } from './polled-case.ts'
import { type QuoteAnswer, readQuoteAnswer, UnusableAnswer } from './quote-answer.ts'

/** The parameters of a quote request. */
interface Question {
  readonly nonce: string
  readonly pcrs: readonly number[]
  /** `1`: without the node key, as it is known. */
  readonly partial: 0 | 1
  readonly imaEntry: number
  /** Set to ask for a deep quote: `pcrs` are the virtual TPM's then. */
  readonly host: QuotedHost | undefined
}

interface Answered {
  readonly question: Question
  readonly answer: QuoteAnswer
}

/** Requests a quote from an agent, and evaluates the answer. */
export async function askForQuote(
  parts: PollParts,
  row: AgentRow,
  line: AgentLine,
): Promise<PollOutcome> {
  const policy = await referToPolicy(parts.store, row)
  const withStored = withStoredPcrs(row, policy)
  const host = await hostOf(parts, withStored, line)
  if (host !== undefined && 'event' in host) return host
  const agent = host === undefined ? withStored : { ...row, tpm_policy: row.vtpm_policy }
  const bootPolicy = await loadBootPolicy(parts.store, agent)
  const { pcrs } = requiredEvidence(agent, policy, bootPolicy)
  const answered = await answerOf(parts, agent, line, { pcrs, policy, host })
  if ('event' in answered) return answered
  const task = taskOf(parts, agent, answered, bootPolicy)
  const receivedAt = parts.clock.now()
  return outcomeOf(parts, agent, task, await evaluateAnswer(parts, task, policy), receivedAt)
}

/** What the policies of an agent need from its answer. */
interface Needed {
  readonly pcrs: readonly number[]
  readonly policy: PolicyReference | undefined
  readonly host: QuotedHost | undefined
}

/** A machine that was reset has another list and perhaps another key, and is asked for all of it at once. */
async function answerOf(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
  { pcrs, policy, host }: Needed,
): Promise<Answered | PollOutcome> {
  const carried = readCarried(agent)
  const isPartial = line.knowsKey && agent.public_key !== null
  const first = await asked(parts, agent, line, {
    nonce: parts.pullRules.nonce(parts.random),
    ...{ pcrs, host },
    partial: isPartial ? 1 : 0,
    imaEntry: parts.pullRules.imaEntry(carried, policy?.digest),
  })
  if ('event' in first || isComplete(first.question)) return first
  if (!parts.pullRules.wasReset(carried, clockOf(parts, agent, first))) return first
  const nonce = parts.pullRules.nonce(parts.random)
  return asked(parts, agent, line, { nonce, pcrs, host, partial: 0, imaEntry: 0 })
}

function isComplete({ partial, imaEntry }: Question): boolean {
  return partial === 0 && imaEntry === 0
}

async function asked(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
  question: Question,
): Promise<Answered | PollOutcome> {
  try {
    const reply = await line.client.get(pathOf(parts, agent, question))
    if (reply.status !== 200) return statusOutcome(parts, agent, line, reply)
    const answer = readAnswer(parts, reply)
    return answer === undefined ? withoutQuote(parts) : { question, answer }
  } catch (error) {
    if (error instanceof NoAnswer)
      return unanswered(parts, line, 'internal.verifier.not_reachable', silence(error))
    if (error instanceof UnusableAnswer)
      return refused(parts, 'internal.verifier.no_quote', error.message)
    throw error
  }
}

function pathOf(
  parts: PollParts,
  agent: AgentRow,
  { nonce, pcrs, host, partial, imaEntry }: Question,
): string {
  const own = parts.pullRules.mask(pcrs)
  const masks = host === undefined ? { mask: own } : deepMasks(parts, own, host)
  const query = new URLSearchParams({
    ...{ nonce, ...masks, partial: String(partial), ima_ml_entry: String(imaEntry) },
  })
  return `/v${agentVersion(parts, agent)}/quotes/integrity?${query}`
}

/** `vmask` selects PCRs of the virtual TPM, and `mask` those of the host. */
function deepMasks({ pullRules }: PollParts, vmask: string, { pcrs }: QuotedHost) {
  return { mask: pullRules.mask(pcrs), vmask }
}

function readAnswer({ pullRules }: PollParts, reply: JsonReply): QuoteAnswer | undefined {
  const type = reply.headers['content-type']
  if (!pullRules.isReadable(type))
    throw new UnusableAnswer('the answer calls itself something else than JSON')
  return readQuoteAnswer(reply.body)
}

/** An answer that has everything but a quote is evidence that does not verify. */
function withoutQuote(parts: PollParts): PollOutcome {
  const why = 'the results have no quote'
  const failure = failureOf(parts, [finding('quote_validation.invalid_data', why)])
  return { event: 'evidence_failed', failure, why }
}

function statusOutcome(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
  reply: JsonReply,
): PollOutcome | Promise<PollOutcome> {
  const why = `the agent answers ${reply.status}`
  return statusStep(parts, agent, line, reply, {
    ...{ later: 'internal.verifier.not_reachable', never: 'internal.verifier.no_quote', why },
  })
}

/** The failure kind of a status other than 200. */
interface Named {
  readonly later: FailureKind
  readonly never: FailureKind
  readonly why: string
}

export function statusStep(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
  reply: JsonReply,
  { later, never, why }: Named,
): PollOutcome | Promise<PollOutcome> {
  const { pullRules } = parts
  if (pullRules.mayComeLater(reply.status)) return unanswered(parts, line, later, why)
  if (!pullRules.asksForVersion(reply)) return refused(parts, never, why)
  const otherwise =
    reply.status === 404
      ? refused(parts, never, why)
      : refusedVersion(parts, agentVersion(parts, agent))
  return settleVersion(parts, agent, line, otherwise)
}

/** The TPM clock in the quote, before the quote is verified. */
function clockOf(
  parts: PollParts,
  agent: AgentRow,
  { question: { host }, answer }: Answered,
): QuoteClock | undefined {
  try {
    const packed = parts.pullRules.packed(agentVersion(parts, agent))
    const { message } = ownQuote({ answer, packed, host })
    return attempt(TPMS_ATTEST, message).value?.clockInfo
  } catch {
    return undefined
  }
}

function taskOf(
  { config, pullRules, ...parts }: PollParts,
  agent: AgentRow,
  { question, answer }: Answered,
  bootPolicy: string | null,
): PolledTask {
  return {
    kind: 'polled',
    agent: evaluatedAgent(agent),
    nonce: question.nonce,
    pcrs: pullRules.quotedPcrs(question.pcrs),
    imaEntry: question.imaEntry,
    host: question.host,
    answer,
    nodeKey: question.partial === 0 ? answer.pubkey : (agent.public_key ?? undefined),
    packed: pullRules.packed(agentVersion({ config, ...parts }, agent)),
    bootPolicy,
    carried: readCarried(agent),
    ignoreTomtouErrors: config.ignore_tomtou_errors,
    bootPolicyName: config.measured_boot_policy_name,
  }
}

function evaluateAnswer(
  { evaluator }: PollParts,
  task: PolledTask,
  policy: PolicyReference | undefined,
): Promise<TaskResult> {
  return evaluator.evaluatePolled(task, policy)
}

function outcomeOf(
  parts: PollParts,
  agent: AgentRow,
  task: PolledTask,
  result: TaskResult,
  receivedAt: number,
): PollOutcome {
  const evidence = { result, receivedAt, begunWith: task.carried, bootTime: undefined }
  const { findings, verdict } = result.evaluation
  if (verdict === 'fail') {
    const failure = failureOf(parts, findings)
    const event = isTop(parts, failure) ? 'evidence_failed' : 'evidence_questioned'
    const why = findings.map(({ type, context }) => `${type}: ${context.message}`).join('; ')
    return { event, failure, why, change: (now) => agentAfter(now, evidence) }
  }
  const isNew = task.nodeKey !== agent.public_key
  return {
    event: isNew && agent.v !== null ? 'key_proven' : 'quote_passed',
    change: (now) => ({ ...agentAfter(now, evidence), public_key: task.nodeKey ?? null }),
  }
}
