import { equalBytes } from '../../bytes/equal.ts'
import { concat } from '../../bytes/writer.ts'
import { type HashAlgorithm, hashByName } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import type { VerifiedPcrs } from './verified-pcrs.ts'

/** The register that a pull agent resets and measures its node key into. */
export const KEY_PCR = 16

/** A node key and what the quote says about it. */
export interface BoundKeyCase {
  /** PCR 16 after nothing but this key, in the bank of the quote */
  readonly expected: Uint8Array
  /** undefined when it was not quoted */
  readonly quoted: Uint8Array | undefined
}

/**
 * The checks of the key that encrypts secrets for an agent (interface document, "Pull-mode agent
 * resources": "its digest is measured into PCR 16").
 */
export const boundKeyChecks: readonly Check<BoundKeyCase>[] = [
  {
    id: 'bound-key.quoted',
    why: 'a key that no TPM vouches for may belong to any machine',
    run: ({ quoted }) =>
      quoted
        ? undefined
        : finding('pcr_validation.missing_pcrs', `the quote does not cover PCR ${KEY_PCR}`, {
            pcrs: [KEY_PCR],
          }),
  },
  {
    id: 'bound-key.value',
    why: 'an impostor would receive the secrets of the agent',
    run: ({ expected, quoted }) =>
      !quoted || equalBytes(expected, quoted)
        ? undefined
        : finding(
            'pcr_validation.invalid_pcr_*',
            `PCR ${KEY_PCR} does not hold the digest of the public key that came with the quote`,
            {},
            KEY_PCR,
          ),
  },
]

/** Checks a node key, as PEM text, against the verified values of one bank; no findings without a key. */
export function evaluateBoundKey(
  key: string | undefined,
  verified: VerifiedPcrs,
  bank: string,
  checks: readonly Check<BoundKeyCase>[] = boundKeyChecks,
): readonly Finding[] {
  const hash = hashByName(bank)
  if (key === undefined || !hash?.digest) return []
  const quoted = verified.get(bank)?.get(KEY_PCR)
  return runChecks(checks, { expected: boundValue(hash, key), quoted })
}

/** PCR 16 once the digest of the PEM text has been extended into its zeros (ambiguity PCR16). */
function boundValue(hash: HashAlgorithm, key: string): Uint8Array {
  const digest = digestOf(hash, new TextEncoder().encode(key))
  return digestOf(hash, concat(new Uint8Array(hash.size), digest))
}
