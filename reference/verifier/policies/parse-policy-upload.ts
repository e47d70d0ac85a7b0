import { fromBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { parseVerificationKeys } from '../../evidence/ima/policy/verification-keys.ts'
import { parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import { readMember } from '../shapes/read-member.ts'

/** The policy JSON text inside its base64, after parsing it once: every stored policy can be used. */
export function parseRuntimePolicyUpload(base64: string): string {
  return refusing('runtime_policy', () => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      fromBase64(base64, 'runtime_policy'),
    )
    parseRuntimePolicy(text)
    return text
  })
}

/** The text of `tpm_policy`, or of the `vtpm_policy` that has its shape, read once. */
export function parseTpmPolicyUpload(text: string, name = 'tpm_policy'): string {
  return refusing(name, () => {
    parseTpmPolicy(text, name)
    return text
  })
}

/** The keyring of file signatures that an agent is added with, read once; an empty list and null are no keyring. */
export function parseKeyringUpload(text: string): string {
  if (/^\s*(\[\s*\]|null)\s*$/.test(text)) return ''
  return refusing('ima_sign_verification_keys', () => {
    parseVerificationKeys(text, 'ima_sign_verification_keys')
    return text
  })
}

/** Reads a member that must be UTF-8 inside its base64. */
function refusing<T>(member: string, read: () => T): T {
  try {
    return readMember(member, read)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const pointer = `/${member}`
    throw new ApiError('malformed_request', `${member}: not UTF-8 text`, { pointer })
  }
}
