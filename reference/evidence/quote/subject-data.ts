import { fromBase64 } from '../../bytes/base64.ts'
import { fromHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { hashByName } from '../../tpm/algorithms.ts'
import { type ClaimedPcrs, LAST_PCR } from './claimed-pcrs.ts'
import { parsePcrBlob } from './pcr-blob.ts'

/**
 * Reads the `subject_data` of a tpm_quote: an object from PCR number to hex value (the document's form, one bank),
 * or the base64 text of a PCR blob (the form of tpm2-tools, which names its banks).
 *
 * Keys are decimal PCR numbers in their only spelling (`"10"`, not `"010"`); values are hex in either case,
 * with or without `0x`, and as long as a digest of the bank.
 *
 * @param bank bank of the object form; the blob form names its own
 * @throws {WireError} `subject_data["10"] at byte …` for a key, length or spelling that is not allowed
 */
export function parseSubjectData(value: unknown, bank: string, path = 'subject_data'): ClaimedPcrs {
  if (typeof value === 'string') return parsePcrBlob(fromBase64(value, path))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WireError(path, 0, 'expected an object of PCR values, or a PCR blob in base64')
  const size = hashByName(bank)?.size
  if (size === undefined) throw new WireError(path, 0, `bank ${JSON.stringify(bank)} is not known`)
  const entries = Object.entries(value).map(([key, text]: [string, unknown]) => {
    const place = `${path}[${JSON.stringify(key)}]`
    return [parsePcrNumber(key, place), parseValue(text, size, place)] as const
  })
  if (entries.length === 0) throw new WireError(path, 0, 'holds no PCR value')
  return [{ bank, values: new Map(entries.sort(([left], [right]) => left - right)) }]
}

/**
 * The PCR a JSON key names; each PCR has one spelling, so that no two keys of an object name the same one.
 *
 * @throws {WireError} at the path given
 */
export function parsePcrNumber(key: string, path: string): number {
  const pcr = /^(?:0|[1-9]\d?)$/.test(key) ? Number(key) : Number.NaN
  if (!(pcr <= LAST_PCR))
    throw new WireError(path, 0, `the key is not a PCR number from 0 to ${LAST_PCR}`)
  return pcr
}

function parseValue(text: unknown, size: number, path: string): Uint8Array {
  if (typeof text !== 'string') throw new WireError(path, 0, 'expected hexadecimal text')
  const bytes = fromHex(text.replace(/^0x/, ''), path)
  if (bytes.length !== size)
    throw new WireError(path, 0, `expected ${size} bytes, got ${bytes.length}`)
  return bytes
}
