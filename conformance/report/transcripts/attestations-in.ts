import { parseAttest, type TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { TPM_GENERATED_VALUE, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { bankOf } from '../../../simulator/tpm/hash.ts'
import { presentPcrSelections } from '../../../simulator/tpm/pcr-selection.ts'
import { parseSignature } from '../../../simulator/tpm/signature.ts'

/** Longer bodies are not searched. */
const LONGEST = 262_144
const DEEPEST = 32

/** Base64 that begins with TPM_GENERATED_VALUE, by itself or as the first part of a quote of the pull model. */
const QUOTE = /^r?(\/1RDR[A-Za-z0-9+/]{40,}={0,2})(?::([A-Za-z0-9+/]+={0,2}))?/

const PRINTABLE = /^[ -~]+$/

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Nonces are text for some parties, and bytes for others. */
const extraDataOf = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString('latin1')
  return PRINTABLE.test(text) ? JSON.stringify(text) : hexOf(bytes) || 'empty'
}

const typeOf = (type: number): string => {
  const [name] = Object.entries(TPM_ST).find(([, value]) => value === type) ?? []
  return name === undefined ? `type 0x${type.toString(16)}` : `TPM_ST_${name}`
}

const attestedOf = ({ attested }: TPMS_ATTEST): readonly string[] => {
  if (attested.kind === 'certify') return [`name ${hexOf(attested.name)}`]
  if (attested.kind !== 'quote') return []
  return [
    `PCRs ${presentPcrSelections(attested.pcrSelect) || 'none'}`,
    `pcrDigest ${hexOf(attested.pcrDigest)}`,
  ]
}

const signatureOf = (text: string | undefined): readonly string[] => {
  const signature =
    text === undefined ? undefined : attempt(() => parseSignature(Buffer.from(text, 'base64')))
  if (signature === undefined || !('hash' in signature)) return []
  return [`signed over ${bankOf(signature.hash) ?? `hash 0x${signature.hash.toString(16)}`}`]
}

const presentAttest = (attest: TPMS_ATTEST): readonly string[] => {
  const { clock, resetCount, restartCount, safe } = attest.clockInfo
  return [
    typeOf(attest.type),
    `extraData ${extraDataOf(attest.extraData)}`,
    ...attestedOf(attest),
    `clock ${clock} ms, resetCount ${resetCount}, restartCount ${restartCount}, safe ${safe}`,
  ]
}

const attestIn = (text: string): string | undefined => {
  const [, message, signature] = QUOTE.exec(text) ?? []
  if (message === undefined) return undefined
  const attest = attempt(() => parseAttest(Buffer.from(message, 'base64')))
  if (attest?.magic !== TPM_GENERATED_VALUE) return undefined
  return [...presentAttest(attest), ...signatureOf(signature)].join('; ')
}

const searched = (value: unknown, path: string, depth: number): readonly string[] => {
  if (typeof value === 'string') {
    const found = attestIn(value)
    return found === undefined ? [] : [`${path}: ${found}`]
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    searched(inner, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}

/**
 * The TPMS_ATTEST structures in a JSON body in words, each after the path of its member: what was signed, over which
 * nonce, of which PCRs, and when. Empty if there are none, or the body is not JSON.
 */
export const attestationsIn = (body: string): readonly string[] => {
  if (body.length > LONGEST || !body.includes('/1RDR')) return []
  return searched(
    attempt(() => JSON.parse(body) as unknown),
    '',
    0,
  )
}
