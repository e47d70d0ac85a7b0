import { underEitherName } from '../api/under-either-name.ts'
import { fromBase64 } from '../bytes/base64.ts'
import type { EvidenceCase } from '../evidence/evaluate.ts'
import type { RuntimePolicy } from '../evidence/ima/policy/runtime-policy.ts'
import { parseQuoteString } from '../evidence/quote/quote-string.ts'
import { parseTpmPolicy } from '../evidence/quote/tpm-policy.ts'
import type { BootPolicyName } from '../evidence/uefi/policy/boot-policy.ts'
import { acceptableNonces } from './acceptable-nonces.ts'
import { bootExpectations } from './policies/boot-expectations.ts'
import { checkCarriedSignature } from './policies/check-envelope.ts'
import { askedReferenceState } from './policies/parse-reference-state.ts'
import type { ReadPolicy, ReadState } from './policies/remember-policies.ts'
import { IMA_PCR } from './push/selection/required-evidence.ts'
import type { VerifyEvidenceRequest as Evidence } from './shapes/agent-shape.ts'
import { readMember } from './shapes/read-member.ts'

/** Evidence of verify/evidence, and the settings of the verifier. */
export interface SentEvidence {
  readonly evidence: Evidence
  readonly ignoreTomtouErrors: boolean
  readonly bootPolicyName: BootPolicyName
}

/** How the policies of sent evidence are read. */
export interface SentReaders {
  readonly readPolicy: ReadPolicy
  readonly readState: ReadState
}

const HASHES = ['sha1', 'sha256', 'sha384', 'sha512']
const SCHEMES = ['rsassa', 'rsapss', 'ecdsa']

/**
 * The input of the evaluation, read from the members of a request. It loads nothing that describes shapes of
 * requests: an evaluation thread must start soon.
 *
 * @throws {ApiError} `malformed_request` with a pointer to the member that cannot be read
 */
export function composeSentCase(
  { evidence, ignoreTomtouErrors, bootPolicyName }: SentEvidence,
  { readPolicy, readState }: SentReaders,
): EvidenceCase {
  readMember('tpm_ek', () => fromBase64(evidence.tpm_ek, 'tpm_ek'))
  const quote = readMember('quote', () => parseQuoteString(evidence.quote))
  const tpmPolicy = readMember('tpm_policy', () => parseTpmPolicy(evidence.tpm_policy || '{}'))
  const bootPolicy = askedReferenceState(evidence.mb_policy || undefined, 'mb_policy', readState)
  const bootLog = underEitherName(evidence, 'mb_list', 'mb_log')
  const pcrs = [...tpmPolicy.allowed.keys(), ...(evidence.ima_measurement_list ? [IMA_PCR] : [])]
  return {
    attestationKey: readMember('tpm_ak', () => fromBase64(evidence.tpm_ak, 'tpm_ak')),
    nonce: acceptableNonces(evidence.nonce),
    hashAlgorithm: evidence.hash_alg,
    acceptedHashes: HASHES,
    acceptedSchemes: SCHEMES,
    requestedPcrs: { bank: evidence.hash_alg, pcrs },
    quote: { ...quote, claimed: { form: 'blob', bytes: quote.pcrBlob } },
    tpmPolicy,
    ignoreTomtouErrors,
    ...imaPart(evidence, readPolicy),
    ...(bootLog === undefined
      ? {}
      : { uefi: readMember('mb_list', () => fromBase64(bootLog, 'mb_list')) }),
    ...bootExpectations({ bootPolicy, bootPolicyName }, readState),
  }
}

function imaPart(
  evidence: Evidence,
  readPolicy: ReadPolicy,
): Pick<EvidenceCase, 'ima' | 'runtimePolicy'> {
  const { ima_measurement_list: list, runtime_policy: policy } = evidence
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
    ...(policy
      ? { runtimePolicy: readMember('runtime_policy', () => openPolicy(policy, readPolicy)) }
      : {}),
  }
}

/** The request names no key, so an envelope must carry its signer's certificate. */
function openPolicy(text: string, readPolicy: ReadPolicy): RuntimePolicy {
  const policy = readPolicy(text)
  if (policy.envelope) checkCarriedSignature(policy.envelope)
  return policy
}
