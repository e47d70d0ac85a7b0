import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type EvidenceCase, evaluate } from '../evaluate.ts'
import type { FailureReason, Finding } from '../findings.ts'
import { parseRuntimePolicy } from '../ima/policy/runtime-policy.ts'
import { PolicyError } from '../policy-error.ts'
import { parseQuoteString } from '../quote/quote-string.ts'
import { parseTpmPolicy } from '../quote/tpm-policy.ts'
import { parseReferenceState } from '../uefi/policy/reference-state.ts'
import {
  type AdversarialEvidence,
  adversarialFiles,
  adversarialSection,
  inputsOf,
} from './adversarial-fixtures.ts'

/** The outcome of evidence: `malformed` if any layer could not read it. */
interface CaseResult {
  readonly outcome: 'malformed' | FailureReason | 'pass'
  readonly findings: readonly Finding[]
}

const IMA_PCR = 10

/** Evaluates adversarial evidence as an endpoint would; rethrows errors that are neither a finding nor a refusal of bytes. */
export function evaluateAdversarial(evidence: AdversarialEvidence): CaseResult {
  try {
    const { failureReason, findings } = evaluate(composeAdversarialCase(evidence))
    const unread = findings.some(({ type }) => type === 'quote_validation.invalid_quote')
    return { outcome: unread ? 'malformed' : (failureReason ?? 'pass'), findings }
  } catch (error) {
    if (!(error instanceof WireError || error instanceof PolicyError)) throw error
    return { outcome: 'malformed', findings: [] }
  }
}

/** What both ways of sending a quote have in common with a fixture. */
function composeAdversarialCase(evidence: AdversarialEvidence): EvidenceCase {
  const bank = text(evidence.hash_alg, 'hash_alg')
  const tpmPolicy = parseTpmPolicy(JSON.stringify(evidence.tpm_policy ?? {}))
  const ima = imaPart(evidence)
  return {
    attestationKey: fromBase64(text(evidence.attestation_key, 'attestation_key')),
    nonce: new TextEncoder().encode(text(evidence.nonce, 'nonce')),
    hashAlgorithm: bank,
    acceptedHashes: ['sha1', 'sha256', 'sha384', 'sha512'],
    acceptedSchemes: ['rsassa', 'rsapss', 'ecdsa'],
    requestedPcrs: {
      bank,
      pcrs: [...tpmPolicy.allowed.keys(), ...('ima' in ima ? [IMA_PCR] : [])],
    },
    quote: quotePart(evidence, bank),
    tpmPolicy,
    ...clockPart(evidence),
    ...ima,
    ...bootPart(evidence),
  }
}

function bootPart({
  boot_log: log,
  boot_policy: policy,
}: AdversarialEvidence): Pick<EvidenceCase, 'uefi' | 'measuredBoot'> {
  if (policy === undefined) return {}
  const state = parseReferenceState(JSON.stringify(policy), 'boot_policy')
  const uefi = fromBase64(text(log, 'boot_log'), 'boot_log')
  return { uefi, measuredBoot: { required: true, policy: { name: 'example', state } } }
}

function clockPart({ previous_clock: before }: AdversarialEvidence): Partial<EvidenceCase> {
  if (before === undefined) return {}
  const { clock, resetCount, restartCount } = before as Readonly<Record<string, number | string>>
  const counts = { resetCount: Number(resetCount), restartCount: Number(restartCount) }
  return { previousClock: { clock: BigInt(clock ?? 0), ...counts } }
}

function quotePart({ quote, push }: AdversarialEvidence, bank: string): EvidenceCase['quote'] {
  if (push === undefined) {
    const { message, signature, pcrBlob } = parseQuoteString(text(quote, 'quote'))
    return { message, signature, claimed: { form: 'blob', bytes: pcrBlob } }
  }
  const parts = push as Readonly<Record<string, unknown>>
  return {
    message: fromBase64(text(parts['message'], 'message'), 'message'),
    signature: fromBase64(text(parts['signature'], 'signature'), 'signature'),
    claimed: { form: 'subject_data', value: parts['subject_data'], bank },
  }
}

function imaPart({
  ima,
  runtime_policy: policy,
}: AdversarialEvidence): Pick<EvidenceCase, 'ima' | 'runtimePolicy'> {
  const runtimePolicy =
    policy === undefined ? {} : { runtimePolicy: parseRuntimePolicy(JSON.stringify(policy)) }
  if (ima === undefined) return runtimePolicy
  const { format, entries, starting_offset } = ima as ImaMember
  const bytes = fromBase64(entries, 'ima.entries')
  return { ...runtimePolicy, ima: { format, bytes, startingOffset: starting_offset } }
}

interface ImaMember {
  readonly format: 'ascii' | 'binary'
  readonly entries: string
  readonly starting_offset: number
}

/** The request schema refuses members that are not text before evidence is evaluated. */
function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new TypeError(`${path} is no text: the shape refuses it`)
  return value
}

/** Every adversarial fixture that can be read as evidence, and the baselines that they mutate. */
export function evidenceFixtures(): readonly EvidenceCase[] {
  const sections = adversarialFiles(/^e[123467]-/).map(adversarialSection)
  const inputs = sections.flatMap((section) => [
    ...Object.values(section.baselines),
    ...section.variants.flatMap((variant) => inputsOf(section, variant)),
  ])
  const texts = inputs.filter(
    ({ quote, nonce }) => quote === undefined || [quote, nonce].every(isText),
  )
  return texts.flatMap((input) => readable(input) ?? [])
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function readable(input: AdversarialEvidence): EvidenceCase | undefined {
  try {
    return composeAdversarialCase(input)
  } catch (error) {
    if (error instanceof WireError || error instanceof PolicyError) return undefined
    throw error
  }
}
