import { fromBase64 } from '../bytes/base64.ts'
import { WireError } from '../bytes/wire-error.ts'
import { ApiError } from '../errors.ts'
import { checkAttestationKey } from '../tpm/check-attestation-key.ts'
import { decode } from '../tpm/codec.ts'
import { keyAlgorithm } from '../tpm/key-algorithm.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'

/** `rsa` or `ecc`, the generic part of `enc_alg`. */
export function attestationKeyAlgorithm(tpm2bPublic: Uint8Array): 'rsa' | 'ecc' {
  return decode(TPM2B_PUBLIC, tpm2bPublic).contents.parameters.kind
}

/**
 * Refuses an `ak_tpm` that is no attestation key: not a TPM2B_PUBLIC, not restricted, not resident in
 * a TPM (CVE-2021-3406). Returns its `enc_alg`.
 */
export function checkEnrolledKey(base64: string, member = 'ak_tpm'): string {
  try {
    const bytes = fromBase64(base64, member)
    const [problem] = checkAttestationKey(bytes)
    if (problem !== undefined) throw refuse(member, `${member}: ${problem.message}`)
    return keyAlgorithm(decode(TPM2B_PUBLIC, bytes).contents)
  } catch (error) {
    if (error instanceof WireError) throw refuse(member, error.message)
    throw error
  }
}

function refuse(member: string, detail: string): ApiError {
  return new ApiError('malformed_request', detail, { pointer: `/${member}` })
}
