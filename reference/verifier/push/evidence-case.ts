import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { EvidenceCase, ImaEvidence } from '../../evidence/evaluate.ts'
import type { RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import type { EvaluatedAgent } from '../evaluation/task.ts'
import { type BootAsked, bootExpectations } from '../policies/boot-expectations.ts'
import type { ReadState } from '../policies/remember-policies.ts'
import { withAgentKeys } from '../policies/with-agent-keys.ts'
import type { LogData, QuoteData } from '../shapes/attestation-shape.ts'
import { type CarriedEvidence, previousClock } from './carried.ts'
import {
  type EvidenceItem,
  logParameters,
  type QuoteParameters,
} from './selection/evidence-item.ts'
import { BINARY_FORMAT } from './selection/select-log.ts'

interface CaseInput extends BootAsked {
  readonly agent: EvaluatedAgent
  readonly runtimePolicy: RuntimePolicy | undefined
  readonly items: readonly EvidenceItem[]
  /** The carried evidence of the agent record: the clock must not run back. */
  readonly carried: CarriedEvidence | undefined
  /** The carried evidence when the attestation began: the list starts where that ended. */
  readonly begunWith: CarriedEvidence | undefined
  /** SHA-256 of `runtimePolicy`, hex. */
  readonly policyDigest: string | undefined
  readonly ignoreTomtouErrors: boolean
}

/** Everything the pure evaluation needs, read from the agent record, the policy and the stored evidence. */
export function evidenceCase(input: CaseInput, readState: ReadState): EvidenceCase {
  const { agent, items } = input
  const quote = item(items, 'tpm_quote')
  const chosen = quote.chosen_parameters as QuoteParameters
  const data = quote.data as QuoteData
  const clock = previousClock(input.carried)
  return {
    attestationKey: fromBase64(agent.ak_tpm),
    nonce: fromBase64(chosen.challenge),
    hashAlgorithm: chosen.hash_algorithm,
    signatureScheme: chosen.signature_scheme,
    acceptedHashes: JSON.parse(agent.accept_tpm_hash_algs),
    acceptedSchemes: JSON.parse(agent.accept_tpm_signing_algs),
    acceptedKeys: JSON.parse(agent.accept_tpm_encryption_algs),
    requestedPcrs: { bank: chosen.hash_algorithm, pcrs: selectedPcrs(chosen) },
    quote: {
      message: fromBase64(data.message),
      signature: fromBase64(data.signature),
      claimed: { form: 'subject_data', value: data.subject_data, bank: chosen.hash_algorithm },
    },
    tpmPolicy: parseTpmPolicy(agent.tpm_policy),
    ignoreTomtouErrors: input.ignoreTomtouErrors,
    ...(clock === undefined ? {} : { previousClock: clock }),
    ...imaPart(input),
    ...uefiPart(input, readState),
  }
}

/**
 * The rest of a list, whose beginning another policy has judged, is no list for this one: a runtime policy that was replaced
 * after the attestation was begun finds none, and so fails it, as a boot policy does.
 */
function imaPart(input: CaseInput): Pick<EvidenceCase, 'ima' | 'runtimePolicy'> {
  const { agent, runtimePolicy } = input
  const sent = input.items.find(({ evidence_type }) => evidence_type === 'ima_log')
  const log = sent && isJudgedFrom(sent, input) ? sent : undefined
  const policy = runtimePolicy && withAgentKeys(runtimePolicy, agent.ima_sign_verification_keys)
  return {
    ...(log === undefined ? {} : { ima: readImaLog(log, input.begunWith) }),
    ...(policy === undefined ? {} : { runtimePolicy: policy }),
  }
}

/** Whether the policy has judged every entry before the first one of a log. */
function isJudgedFrom(log: EvidenceItem, { begunWith, policyDigest }: CaseInput): boolean {
  if (policyDigest === undefined || logParameters(log).starting_offset === 0) return true
  return begunWith?.ima?.policy === policyDigest
}

/** A boot policy that came after the attestation was begun finds no log, and so fails it. */
function uefiPart(
  input: CaseInput,
  readState: ReadState,
): Pick<EvidenceCase, 'uefi' | 'measuredBoot'> {
  const log = input.items.find(({ evidence_type }) => evidence_type === 'uefi_log')
  return {
    ...(log === undefined ? {} : { uefi: fromBase64((log.data as LogData).entries) }),
    ...bootExpectations(input, readState),
  }
}

function readImaLog(log: EvidenceItem, begunWith: CarriedEvidence | undefined): ImaEvidence {
  const { format, starting_offset } = logParameters(log)
  const { entries, entry_count: statedEntries } = log.data as LogData
  return {
    format: format === BINARY_FORMAT ? 'binary' : 'ascii',
    bytes: format === BINARY_FORMAT ? fromBase64(entries) : readText(entries),
    startingOffset: starting_offset,
    ...(statedEntries !== undefined && { statedEntries }),
    ...(starting_offset > 0 && begunWith?.ima !== undefined
      ? { carried: begunWith.ima.values, learned: begunWith.ima.learned ?? [] }
      : {}),
  }
}

/** A text list comes raw, or in base64 where the sender chose so (ambiguity ENTRIES); a list has blanks, base64 has none. */
function readText(entries: string): Uint8Array {
  try {
    return fromBase64(entries, 'entries')
  } catch (error) {
    if (error instanceof WireError) return new TextEncoder().encode(entries)
    throw error
  }
}

function selectedPcrs(chosen: QuoteParameters): readonly number[] {
  const subjects = chosen.selected_subjects
  if (Array.isArray(subjects)) return subjects
  return (
    (subjects as Readonly<Record<string, readonly number[] | null>>)[chosen.hash_algorithm] ?? []
  )
}

function item(items: readonly EvidenceItem[], type: EvidenceItem['evidence_type']): EvidenceItem {
  const found = items.find(({ evidence_type }) => evidence_type === type)
  if (found === undefined) throw new Error(`stored evidence has no ${type}`)
  return found
}
