import { fromBase64 } from '../../bytes/base64.ts'
import { deepQuoteRules } from '../../evidence/deep-quote/deep-quote.ts'
import {
  type DeepQuote,
  parseDeepQuoteString,
} from '../../evidence/deep-quote/deep-quote-string.ts'
import type { EvidenceCase } from '../../evidence/evaluate.ts'
import type { RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseQuoteString, type QuoteParts } from '../../evidence/quote/quote-string.ts'
import { parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import { acceptableNonces } from '../acceptable-nonces.ts'
import type { PolledTask, QuotedHost } from '../evaluation/task.ts'
import { bootExpectations } from '../policies/boot-expectations.ts'
import type { ReadState } from '../policies/remember-policies.ts'
import { withAgentKeys } from '../policies/with-agent-keys.ts'
import { previousClock } from '../push/carried.ts'
import { IMA_PCR } from '../push/selection/required-evidence.ts'

/** Interface document, "Quote": the boot log comes if PCR 0 is in the mask. */
const BOOT_LOG_PCR = 0

/**
 * Everything the pure evaluation needs, read from the agent record, its policy and its answer.
 *
 * @throws {WireError} when the quote or the base64 of a log cannot be read
 */
export function polledCase(
  task: PolledTask,
  policy: RuntimePolicy | undefined,
  readState: ReadState,
): EvidenceCase {
  const { agent, answer, pcrs, nodeKey } = task
  const { message, signature, pcrBlob } = ownQuote(task)
  const clock = previousClock(task.carried)
  return {
    attestationKey: fromBase64(agent.ak_tpm),
    nonce: acceptableNonces(task.nonce),
    ...acceptedOf(task),
    signatureScheme: answer.sign_alg,
    requestedPcrs: { bank: answer.hash_alg, pcrs },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
    tpmPolicy: parseTpmPolicy(agent.tpm_policy),
    ignoreTomtouErrors: task.ignoreTomtouErrors,
    ...(nodeKey !== undefined && { boundKey: nodeKey }),
    ...(clock && { previousClock: clock }),
    ...imaPart(task),
    ...(policy && { runtimePolicy: withAgentKeys(policy, agent.ima_sign_verification_keys) }),
    ...uefiPart(task, readState),
  }
}

/** The algorithms that both quotes of an answer may have. */
function acceptedOf({
  agent,
  answer,
}: PolledTask): Pick<
  EvidenceCase,
  'hashAlgorithm' | 'acceptedHashes' | 'acceptedSchemes' | 'acceptedKeys'
> {
  return {
    hashAlgorithm: answer.hash_alg,
    acceptedHashes: JSON.parse(agent.accept_tpm_hash_algs),
    acceptedSchemes: JSON.parse(agent.accept_tpm_signing_algs),
    acceptedKeys: JSON.parse(agent.accept_tpm_encryption_algs),
  }
}

/**
 * The quote of the agent's own TPM, in a deep quote or in an ordinary one: whichever was asked for.
 *
 * @throws {WireError} it is another one, or cannot be read
 */
export function ownQuote(task: Pick<PolledTask, 'packed' | 'host' | 'answer'>): QuoteParts {
  const { answer, packed, host } = task
  return host === undefined ? parseQuoteString(answer.quote, packed) : deepQuoteOf(task).guest
}

function deepQuoteOf({ answer, packed }: Pick<PolledTask, 'packed' | 'answer'>): DeepQuote {
  return parseDeepQuoteString(answer.quote, packed)
}

/**
 * The quote of the host in a deep quote, which has no evidence besides: it is over the guest's quote, so that the nonce of that
 * one makes both fresh, and over the same bank.
 *
 * @throws {WireError} when the quote cannot be read
 */
export function hostCase(task: PolledTask, { key, pcrs, tpm_policy }: QuotedHost): EvidenceCase {
  const { guest, host } = deepQuoteOf(task)
  const { message, signature, pcrBlob } = host
  return {
    attestationKey: key,
    nonce: deepQuoteRules.hostNonce(guest),
    ...acceptedOf(task),
    requestedPcrs: { bank: task.answer.hash_alg, pcrs },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
    tpmPolicy: parseTpmPolicy(tpm_policy),
  }
}

/**
 * A list is evidence where PCR 10 was asked for; agents may send one that was not requested. An empty text from the first
 * line on means no list (ambiguity NOIMA), from a later one on it means no new entries.
 */
function imaPart({ answer, carried, pcrs }: PolledTask): Pick<EvidenceCase, 'ima'> {
  const { ima_measurement_list: list, ima_measurement_list_entry: startingOffset } = answer
  const goesOn = startingOffset > 0
  if (!pcrs.includes(IMA_PCR) || list === undefined || (list === '' && !goesOn)) return {}
  const certified = goesOn ? carried?.ima : undefined
  return {
    ima: {
      format: 'ascii',
      bytes: new TextEncoder().encode(list),
      startingOffset,
      ...(certified && { carried: certified.values, learned: certified.learned ?? [] }),
    },
  }
}

/** A boot log without a boot policy still determines the expected boot_aggregate. */
function uefiPart(
  task: PolledTask,
  readState: ReadState,
): Pick<EvidenceCase, 'uefi' | 'measuredBoot'> {
  const { answer, pcrs } = task
  const list = pcrs.includes(BOOT_LOG_PCR) ? answer.mb_measurement_list : undefined
  return {
    ...(list === undefined ? {} : { uefi: fromBase64(list, 'mb_measurement_list') }),
    ...bootExpectations(task, readState),
  }
}
