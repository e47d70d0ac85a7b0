import { equalBytes } from '../../bytes/equal.ts'
import { toHex } from '../../bytes/hex.ts'
import { concat } from '../../bytes/writer.ts'
import { hashById } from '../../tpm/algorithms.ts'
import { type Attest, TPM_ST_ATTEST_QUOTE } from '../../tpm/attest.ts'
import { digestOf } from '../../tpm/digest.ts'
import { acceptsKey, keyAlgorithm } from '../../tpm/key-algorithm.ts'
import type { PublicArea } from '../../tpm/public.ts'
import { pcrsOf } from '../../tpm/structures-common.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import { magicCheck, structureCheck } from './attest-checks.ts'
import {
  type QuoteCase,
  type QuoteClock,
  type QuoteInput,
  quoteInfoOf,
  readQuoteCase,
} from './quote-case.ts'
import type { VerifiedPcrs } from './verified-pcrs.ts'

function invalid(message: string): Finding {
  return finding('quote_validation.quote_validation', message)
}

function malformed(message: string): Finding {
  return finding('quote_validation.invalid_quote', message)
}

/**
 * The checks of a quote, in this order:
 * the received parts can be read to their last byte; the key can only attest; the structure was made by a TPM, is a
 * quote, and answers our nonce; the signature has a form we know, uses the algorithms that were agreed and accepted, and
 * verifies over the received bytes; the signed selection is the claimed one and includes the requested PCRs; the signed
 * digest is that of the claimed values; the clock has not gone back.
 *
 * A part that cannot be read is reported by its own check; the others leave it alone.
 */
export const quoteChecks: readonly Check<QuoteCase>[] = [
  structureCheck(
    'quote.structure',
    ({ key, attest, claimed }) => [key, attest, claimed],
    malformed,
  ),
  {
    id: 'quote.key-attributes',
    why: 'an unrestricted key signs any bytes, also a forged quote',
    run: checkKey,
  },
  magicCheck('quote.magic', invalid),
  {
    id: 'quote.type',
    why: 'another attestation by the same key over the same nonce says nothing about PCRs',
    run: ({ attest: { value } }) =>
      value && value.type !== TPM_ST_ATTEST_QUOTE
        ? invalid(
            `TPMS_ATTEST.type at byte 4: expected a quote (0x8018), got ${value.attested.kind}`,
          )
        : undefined,
  },
  {
    id: 'quote.nonce',
    why: 'a quote over an old nonce is a replay',
    run: checkNonce,
  },
  {
    id: 'quote.signature-form',
    why: 'a signature that is read in two ways can be valid in one of them',
    run: ({ signature: { problem } }) => problem && malformed(problem.message),
  },
  {
    id: 'quote.algorithms',
    why: 'an attester that chooses the algorithms chooses the weakest',
    run: checkAlgorithms,
  },
  {
    id: 'quote.signature',
    why: 'without a valid signature an attacker may have written the rest',
    run: checkSignature,
  },
  {
    id: 'quote.selection',
    why: 'digests under another label move a good value to the PCR under evaluation',
    run: checkSelection,
  },
  {
    id: 'quote.pcr-digest',
    why: 'the values are only as good as the digest over them that was signed',
    run: checkPcrDigest,
  },
  {
    id: 'quote.clock',
    why: 'a clock that goes back shows an old quote, or a TPM that lost its state',
    run: checkClock,
  },
]

/** Outcome of {@link evaluateQuote}; the values are there only when nothing was found. */
interface QuoteEvaluation {
  readonly findings: readonly Finding[]
  readonly verified?: VerifiedPcrs
  readonly clock?: QuoteClock
}

/** Checks a quote; without findings its PCR values are verified. */
export function evaluateQuote(
  input: QuoteInput,
  checks: readonly Check<QuoteCase>[] = quoteChecks,
): QuoteEvaluation {
  const subject = readQuoteCase(input)
  const findings = runChecks(checks, subject)
  if (findings.length > 0) return { findings }
  const verified = verifiedPcrs(subject)
  const clock = subject.attest.value?.clockInfo
  // Only with checks taken out of the list can this be reached; then nothing is still not a proof.
  if (!verified || !clock) return { findings: [malformed('the quote proves no PCR value')] }
  const { resetCount, restartCount } = clock
  return { findings, verified, clock: { clock: clock.clock, resetCount, restartCount } }
}

/** The only place where {@link VerifiedPcrs} come from. */
function verifiedPcrs({ claimed, signature, attest, key }: QuoteCase): VerifiedPcrs | undefined {
  if (!claimed.value || !signature.value || !key.value || attest.value?.attested.kind !== 'quote')
    return undefined
  return new Map(claimed.value.map(({ bank, values }) => [bank, values])) as ReadonlyMap<
    string,
    ReadonlyMap<number, Uint8Array>
  > as VerifiedPcrs
}

function checkKey({ key: { value } }: QuoteCase): Finding | undefined {
  const [first] = value?.unmet ?? []
  if (!first) return undefined
  const unmet = value?.unmet.map(({ id }) => id)
  return finding('quote_validation.invalid_attestation_key', first.message, { unmet })
}

function checkNonce({ attest: { value }, expected }: QuoteCase): Finding | undefined {
  if (!value) return undefined
  if (value.extraData.length === 0)
    return invalid('TPMS_ATTEST.extraData is empty: the quote answers no nonce')
  const nonces = expected.nonce instanceof Uint8Array ? [expected.nonce] : expected.nonce
  return nonces.some((nonce) => equalBytes(nonce, value.extraData))
    ? undefined
    : invalid('TPMS_ATTEST.extraData is not the nonce this evidence was asked for')
}

function checkAlgorithms({ signature: { value }, key, expected }: QuoteCase): Finding | undefined {
  if (!value) return undefined
  const hash = hashById(value.value.hash)?.name ?? hex16(value.value.hash)
  const used = `${value.kind} with ${hash}`
  const agreed = expected.signatureScheme
  if (hash !== expected.hashAlgorithm || (agreed !== undefined && agreed !== value.kind))
    return invalid(
      `the signature is ${used}, expected ${agreed ?? 'any scheme'} with ${expected.hashAlgorithm}`,
    )
  const scheme = key.value?.area.parameters.value.scheme
  if (scheme?.value && (scheme.kind !== value.kind || scheme.value.hashAlg !== value.value.hash))
    return invalid(`the signature is ${used}, which is not the scheme of the attestation key`)
  if (!expected.acceptedHashes.includes(hash))
    return finding(
      'quote_validation.invalid_hash_alg',
      `hash ${hash} is not accepted for this agent`,
    )
  if (!expected.acceptedSchemes.includes(value.kind))
    return finding(
      'quote_validation.invalid_sign_alg',
      `scheme ${value.kind} is not accepted for this agent`,
    )
  return checkKeyAlgorithm(key.value?.area, expected.acceptedKeys)
}

function checkKeyAlgorithm(
  area: PublicArea | undefined,
  accepted: readonly string[] | undefined,
): Finding | undefined {
  if (!area || !accepted || acceptsKey(accepted, area)) return undefined
  const message = `a key of ${keyAlgorithm(area)} is not accepted for this agent`
  return finding('quote_validation.invalid_enc_alg', message)
}

function checkSignature({ key, signature, expected }: QuoteCase): Finding | undefined {
  if (!key.value || !signature.value) return undefined
  const outcome = verifySignature(key.value.key, signature.value, expected.quote.message)
  return outcome.ok ? undefined : invalid(outcome.why)
}

function checkSelection(subject: QuoteCase): Finding | undefined {
  const info = quoteInfoOf(subject)
  const claimed = subject.claimed.value
  if (!info || !claimed) return undefined
  const signed = describe(
    info.pcrSelect.map((each) => [bankName(each.hash), pcrsOf(each.pcrSelect)]),
  )
  const stated = describe(claimed.map(({ bank, values }) => [bank, [...values.keys()]]))
  if (signed !== stated)
    return invalid(
      `the signed selection is ${signed || 'empty'}, the PCR data claims ${stated || 'none'}`,
    )
  const { bank, pcrs } = subject.expected.requestedPcrs
  const quoted = claimed.find((each) => each.bank === bank)?.values
  const missing = pcrs.filter((pcr) => !quoted?.has(pcr))
  return missing.length === 0
    ? undefined
    : invalid(`the quote of bank ${bank} lacks PCR ${missing.join(', ')}, which was asked for`)
}

/** One text per selection: banks in order, PCRs ascending; a bank without PCRs is left out. */
function describe(banks: readonly (readonly [bank: string, pcrs: readonly number[]])[]): string {
  return banks
    .filter(([, pcrs]) => pcrs.length > 0)
    .map(([bank, pcrs]) => `${bank}:${pcrs.join(',')}`)
    .join('+')
}

function bankName(id: number): string {
  return hashById(id)?.name ?? hex16(id)
}

/** Part 3, 18.4: the digest uses the hash of the signature, for values of any bank. */
function checkPcrDigest(subject: QuoteCase): Finding | undefined {
  const info = quoteInfoOf(subject)
  const claimed = subject.claimed.value
  const hash = hashById(subject.signature.value?.value.hash ?? 0)
  if (!info || !claimed || !hash?.digest) return undefined
  const computed = digestOf(hash, concat(...claimed.flatMap(({ values }) => [...values.values()])))
  return equalBytes(computed, info.pcrDigest)
    ? undefined
    : invalid(
        `the claimed PCR values hash to ${toHex(computed)}, the TPM signed ${toHex(info.pcrDigest)}`,
      )
}

/** Part 1, 36: resetCount counts TPM resets, restartCount resumes since the last of them, clock milliseconds. */
function checkClock({ attest: { value }, expected }: QuoteCase): Finding | undefined {
  if (!value) return undefined
  const before = expected.previousClock
  return before && checkProgress(before, value.clockInfo)
}

function checkProgress(before: QuoteClock, now: Attest['clockInfo']): Finding | undefined {
  if (now.resetCount < before.resetCount)
    return invalid(`resetCount went back from ${before.resetCount} to ${now.resetCount}`)
  const wasReset = now.resetCount > before.resetCount
  // A TPM reset sets restartCount to 0, so it may only be compared within one reset.
  if (!wasReset && now.restartCount < before.restartCount)
    return invalid(`restartCount went back from ${before.restartCount} to ${now.restartCount}`)
  const bothChanged = wasReset && now.restartCount !== before.restartCount
  // After a power cut the TPM continues from the last clock that it saved, and `safe` is 0 until it has passed the highest one.
  const mayBeBehind = wasReset && !now.safe
  if (!mayBeBehind && !bothChanged && now.clock <= before.clock)
    return invalid(`the clock went from ${before.clock} ms to ${now.clock} ms`)
  return undefined
}

function hex16(value: number): string {
  return `0x${value.toString(16).padStart(4, '0')}`
}
