import { parseJson } from '../../api/bodies/parse-json.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type Check, runChecks } from '../../evidence/check.ts'
import type { Evaluation } from '../../evidence/evaluate.ts'
import { type Finding, failureReason, finding } from '../../evidence/findings.ts'
import type { RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { evaluateQuote } from '../../evidence/quote/quote.ts'
import type { QuoteCase, QuoteInput } from '../../evidence/quote/quote-case.ts'
import { parseQuoteString } from '../../evidence/quote/quote-string.ts'
import { acceptableNonces } from '../acceptable-nonces.ts'
import { composeSentCase, type SentReaders } from '../compose-sent-case.ts'
import { readLargeEvidence } from '../evidence-request.ts'
import type { ReadPolicy, ReadState } from '../policies/remember-policies.ts'
import { hostCase, polledCase } from '../pull/polled-case.ts'
import { evidenceCase } from '../push/evidence-case.ts'
import {
  type EvidenceItem,
  quoteParameters,
  startingOffset,
} from '../push/selection/evidence-item.ts'
import type {
  IdentityTask,
  PolledTask,
  QuotedHost,
  StoredTask,
  Task,
  TaskResult,
  UnreadTask,
} from './task.ts'
import type { Evaluate } from './with-time-limit.ts'

/** What the evaluation of tasks depends on. */
export interface TaskParts {
  readonly evaluate: Evaluate
  /** Evaluates the quote of the host in a deep quote. */
  readonly evaluateHost: Evaluate
  /** Checks of an identity quote: those of any quote. */
  readonly identityChecks: readonly Check<QuoteCase>[]
  /** Checks of an agent's answer that come before its evidence is looked at. */
  readonly answerChecks: readonly Check<PolledTask>[]
  /** Parses policies of third parties; cached apart from those of agents, so that they cannot evict them. */
  readonly readSentPolicy: ReadPolicy
  /** Parses reference states of agents. */
  readonly readState: ReadState
  /** Parses reference states of third parties. */
  readonly readSentState: ReadState
}

/**
 * Evaluates a task of any kind. Runs in the main thread and in worker threads.
 *
 * @throws {ApiError} when a member of sent evidence cannot be read
 */
export function evaluateTask(
  parts: TaskParts,
  task: Task,
  policy: RuntimePolicy | undefined,
): TaskResult {
  switch (task.kind) {
    case 'stored':
      return evaluateStored(parts, task, policy)
    case 'polled':
      return evaluatePolled(parts, task, policy)
    case 'sent':
      return { evaluation: parts.evaluate(composeSentCase(task, sentReaders(parts))) }
    case 'unread':
      return { evaluation: evaluateUnread(parts, task) }
    case 'identity':
      return { evaluation: concluded(evaluateIdentity(parts, task)) }
  }
}

function evaluateUnread(parts: TaskParts, { body, version, ...task }: UnreadTask): Evaluation {
  const evidence = readLargeEvidence(parseJson(body), version)
  return parts.evaluate(composeSentCase({ ...task, evidence }, sentReaders(parts)))
}

function sentReaders({ readSentPolicy, readSentState }: TaskParts): SentReaders {
  return { readPolicy: readSentPolicy, readState: readSentState }
}

function evaluateStored(
  parts: TaskParts,
  task: StoredTask,
  runtimePolicy: RuntimePolicy | undefined,
): TaskResult {
  const items = JSON.parse(new TextDecoder().decode(task.evidence)) as readonly EvidenceItem[]
  const evaluation = parts.evaluate(
    evidenceCase({ ...task, items, runtimePolicy }, parts.readState),
  )
  return { evaluation, chosen: quoteParameters(items), startingOffset: startingOffset(items) }
}

/** Evidence is not evaluated if the answer itself fails its checks. */
function evaluatePolled(
  parts: TaskParts,
  task: PolledTask,
  policy: RuntimePolicy | undefined,
): TaskResult {
  const { hash_alg: hash_algorithm, sign_alg: signature_scheme, ...rest } = task.answer
  const chosen = { hash_algorithm, signature_scheme }
  const unfit = runChecks(parts.answerChecks, task)
  if (unfit.length > 0) return { evaluation: concluded(unfit), chosen }
  const startingOffset = rest.ima_measurement_list_entry
  return { evaluation: evaluateAnswered(parts, task, policy), chosen, startingOffset }
}

function evaluateAnswered(
  parts: TaskParts,
  task: PolledTask,
  policy: RuntimePolicy | undefined,
): Evaluation {
  try {
    const own = parts.evaluate(polledCase(task, policy, parts.readState))
    return task.host === undefined ? own : withHost(parts, task, task.host, own)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return concluded([finding('quote_validation.invalid_quote', error.message)])
  }
}

/** Both quotes of a deep quote have to pass. */
function withHost(
  parts: TaskParts,
  task: PolledTask,
  quoted: QuotedHost,
  own: Evaluation,
): Evaluation {
  const host = parts.evaluateHost(hostCase(task, quoted)).findings.map(
    (found): Finding => ({
      ...found,
      context: { ...found.context, message: `quote of the host: ${found.context.message}` },
    }),
  )
  return host.length === 0 ? own : { ...own, ...concluded([...own.findings, ...host]) }
}

function evaluateIdentity(parts: TaskParts, task: IdentityTask): readonly Finding[] {
  try {
    return evaluateQuote(identityQuote(task), parts.identityChecks).findings
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return [finding('quote_validation.invalid_quote', error.message)]
  }
}

/** Requires no PCR and ignores the clock: another party may have obtained the quote earlier. */
function identityQuote({ agent, hash_alg, nonce, quote }: IdentityTask): QuoteInput {
  const { message, signature, pcrBlob } = parseQuoteString(quote)
  return {
    attestationKey: fromBase64(agent.ak_tpm),
    nonce: acceptableNonces(nonce),
    hashAlgorithm: hash_alg,
    acceptedHashes: JSON.parse(agent.accept_tpm_hash_algs),
    acceptedSchemes: JSON.parse(agent.accept_tpm_signing_algs),
    acceptedKeys: JSON.parse(agent.accept_tpm_encryption_algs),
    requestedPcrs: { bank: hash_alg, pcrs: [] },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
  }
}

function concluded(findings: readonly Finding[]): Evaluation {
  const reason = failureReason(findings)
  return reason === undefined
    ? { verdict: 'pass', findings }
    : { verdict: 'fail', failureReason: reason, findings }
}
