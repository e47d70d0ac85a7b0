import type { Reader } from '../../../bytes/reader.ts'
import { readGuid } from './guid.ts'

/** UEFI_VARIABLE_DATA (PFP 10.2.6): a variable as it was measured. */
export interface EfiVariable {
  readonly guid: string
  readonly name: string
  readonly value: Uint8Array
}

/**
 * Reads UEFI_VARIABLE_DATA; its lengths count characters of the name and bytes of the value.
 *
 * @param readValue reads the value, all of it
 */
export function readVariable<T>(
  reader: Reader,
  readValue: (variable: EfiVariable) => T,
): { readonly variable: EfiVariable; readonly inside: T } {
  const guid = reader.field('.variableName', () => readGuid(reader))
  const nameLength = reader.field('.unicodeNameLength', () => readLength(reader))
  const valueLength = reader.field('.variableDataLength', () => readLength(reader))
  const name = reader.field('.unicodeName', () => readUtf16(reader, nameLength))
  return reader.field('.variableData', () => {
    const value = reader.peek(valueLength) ?? reader.take(valueLength)
    const variable = { guid, name, value }
    return { variable, inside: reader.within(valueLength, () => readValue(variable)) }
  })
}

/** A UINT64 length within the remaining bytes; the product with an element of `size` bytes does too. */
export function readLength(reader: Reader): number {
  const at = reader.offset
  const length = reader.u64()
  if (length > BigInt(reader.remaining))
    throw reader.error(`${length} is more than the ${reader.remaining} byte(s) left`, at)
  return Number(length)
}

/** @throws {WireError} for an unpaired surrogate */
function readUtf16(reader: Reader, characters: number): string {
  const at = reader.offset
  const bytes = reader.take(characters * 2)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf16le')
  if (LONE_SURROGATE.test(text)) throw reader.error('an unpaired surrogate', at)
  return text
}

const LONE_SURROGATE = /\p{Surrogate}/u
