import { unbase64 } from '../../../conformance/client/bytes.ts'
import { text } from '../../../simulator/tpm/write.ts'
import type { Members } from '../stages.ts'

/** Evidence as the most lenient reader would take it from a request: nothing is judged yet. */
export interface Claim {
  /** TPM2B_PUBLIC of the key that the quote is to verify with. */
  readonly key: Uint8Array
  /** What the qualifying data may be: the nonce's text, and the bytes it is the base64 of. */
  readonly nonces: readonly Uint8Array[]
  readonly hashAlg: string
  readonly message: Uint8Array
  readonly signature: Uint8Array
  /** The PCR blob of tpm2-tools. */
  readonly pcrs: Uint8Array
  readonly list?: ClaimedList
  readonly runtimePolicy?: string
  readonly tpmPolicy?: string
  /** `binary_bios_measurements`. */
  readonly bootLog?: Uint8Array
  /** The measured boot reference state. */
  readonly bootPolicy?: string
}

export interface ClaimedList {
  /** As the kernel prints it. */
  readonly text: Uint8Array
  /** PCR 10 before its first line: zeros for a whole list. */
  readonly start: Uint8Array
}

const ZEROS = new Uint8Array(32)

/** The three parts of `r<base64>:<base64>:<base64>`; undefined when there are no such three. */
function quoteParts(quote: unknown): readonly Uint8Array[] | undefined {
  if (typeof quote !== 'string' || !quote.startsWith('r')) return undefined
  const parts = quote.slice(1).split(':')
  return parts.length === 3 && !parts.includes('') ? parts.map(unbase64) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The claim of a verify/evidence request, or why there is none however leniently it is read. */
export function claimOf(members: Members): Claim | { readonly unreadable: string } {
  const [message, signature, pcrs] = quoteParts(members.quote) ?? []
  if (message === undefined || signature === undefined || pcrs === undefined)
    return { unreadable: 'quote is not the letter r and three parts between colons' }
  const nonce = textOf(members.nonce)
  const key = textOf(members.tpm_ak)
  if (nonce === undefined || key === undefined)
    return {
      unreadable: `${nonce === undefined ? 'nonce' : 'tpm_ak'} is missing, empty or no text`,
    }
  const list = textOf(members.ima_measurement_list)
  const runtimePolicy = textOf(members.runtime_policy)
  const tpmPolicy = textOf(members.tpm_policy)
  const bootLog = textOf(members.mb_list)
  const bootPolicy = textOf(members.mb_policy)
  return {
    ...{ message, signature, pcrs, key: unbase64(key), nonces: [text(nonce), unbase64(nonce)] },
    hashAlg: textOf(members.hash_alg) ?? '',
    ...(list === undefined ? {} : { list: { text: text(list), start: ZEROS } }),
    ...(runtimePolicy === undefined ? {} : { runtimePolicy }),
    ...(tpmPolicy === undefined ? {} : { tpmPolicy }),
    ...(bootLog === undefined ? {} : { bootLog: unbase64(bootLog) }),
    ...(bootPolicy === undefined ? {} : { bootPolicy }),
  }
}
