import type { Handler } from '../../api/call.ts'
import { bodyParser } from '../../api/parse-body.ts'
import { underEitherName } from '../../api/under-either-name.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { ApiError } from '../../errors.ts'
import type { EvidenceCase } from '../../evidence/evaluate.ts'
import { parseRuntimePolicy } from '../../evidence/ima/runtime-policy.ts'
import { PolicyError } from '../../evidence/policy-error.ts'
import { parseQuoteString } from '../../evidence/quote-string.ts'
import { parseTpmPolicy } from '../../evidence/tpm-policy.ts'
import {
  type VerifyEvidenceRequest as Evidence,
  TypedEvidenceRequest,
  VerifyEvidenceRequest,
} from '../agent-shape.ts'
import { parseReferenceState } from '../policies/parse-reference-state.ts'
import { BOOT_PCRS, IMA_PCR } from '../push/required-evidence.ts'
import type { VerifierParts } from '../verifier-parts.ts'

const parseFlat = bodyParser(VerifyEvidenceRequest, 'malformed_request')
const parseTyped = bodyParser(TypedEvidenceRequest, 'malformed_request')
const HASHES = ['sha1', 'sha256', 'sha384', 'sha512']
const SCHEMES = ['rsassa', 'rsapss', 'ecdsa']

/**
 * POST /v2.5/verify/evidence: judges evidence that a third party brings, in one call and without an
 * agent record. Takes the document's flat body and upstream's `type`/`data`.
 */
export function verifyEvidence(parts: VerifierParts): Handler {
  return ({ body }) => {
    const evidence = readBody(body)
    const { verdict, findings, verifiedPcrs } = parts.evaluate(readCase(evidence, parts))
    const valid = verdict === 'pass'
    const failures = findings.map(({ type, context }) => ({ type, context }))
    return { body: { valid, claims: valid ? { pcrs: verifiedPcrs } : {}, failures } }
  }
}

function readBody(body: unknown): Evidence {
  const typed = typeof body === 'object' && body !== null && 'type' in body
  return typed ? parseTyped(body).data : parseFlat(body)
}

/** Unreadable input is the caller's fault (400); readable evidence that is wrong ends in `failures`. */
function readCase(evidence: Evidence, parts: VerifierParts): EvidenceCase {
  try {
    return composeCase(evidence, parts.config.ignore_tomtou_errors)
  } catch (error) {
    if (error instanceof WireError || error instanceof PolicyError) {
      throw new ApiError('malformed_request', error.message, { cause: error })
    }
    throw error
  }
}

function composeCase(evidence: Evidence, ignoreTomtouErrors: boolean): EvidenceCase {
  const quote = parseQuoteString(evidence.quote)
  const tpmPolicy = parseTpmPolicy(evidence.tpm_policy || '{}')
  const referenceState = parseReferenceState(evidence.mb_policy || undefined, 'mb_policy')
  const bootLog = underEitherName(evidence, 'mb_list', 'mb_log')
  const pcrs = [...tpmPolicy.allowed.keys(), ...(evidence.ima_measurement_list ? [IMA_PCR] : [])]
  return {
    attestationKey: fromBase64(evidence.tpm_ak, 'tpm_ak'),
    nonce: acceptableNonces(evidence.nonce),
    hashAlgorithm: evidence.hash_alg,
    acceptedHashes: HASHES,
    acceptedSchemes: SCHEMES,
    requestedPcrs: { bank: evidence.hash_alg, pcrs },
    quote: { ...quote, claimed: { form: 'blob', bytes: quote.pcrBlob } },
    tpmPolicy,
    ignoreTomtouErrors,
    ...imaPart(evidence),
    ...(bootLog === undefined ? {} : { uefi: fromBase64(bootLog, 'mb_list') }),
    ...(referenceState === null ? {} : { measuredBoot: { required: true, pcrs: BOOT_PCRS } }),
  }
}

function imaPart(evidence: Evidence): Pick<EvidenceCase, 'ima' | 'runtimePolicy'> {
  const list = evidence.ima_measurement_list
  return {
    ...(list
      ? {
          ima: {
            format: 'ascii',
            bytes: new TextEncoder().encode(list),
            startingOffset: 0,
          } as const,
        }
      : {}),
    ...(evidence.runtime_policy
      ? { runtimePolicy: parseRuntimePolicy(evidence.runtime_policy) }
      : {}),
  }
}

/** The nonce goes into the quote as text, or as the bytes it is the base64 of (as upstream accepts). */
function acceptableNonces(nonce: string): readonly Uint8Array[] {
  const text = new TextEncoder().encode(nonce)
  try {
    return [text, fromBase64(nonce)]
  } catch {
    return [text]
  }
}
