import { Cursor } from '../tpm/cursor.ts'
import { guidText } from './guid.ts'

/** UEFI_VARIABLE_DATA up to a cut. */
export interface VariableData {
  readonly guid: string
  readonly name: string
  readonly data: Uint8Array
  /** Number of bytes after the data. */
  readonly leftover: number
}

/** One signature of a database. */
interface DatabaseSignature {
  /** GUID of the signature type. */
  readonly type: string
  readonly owner: string
  readonly data: Uint8Array
}

function u64(cursor: Cursor): number {
  const low = cursor.u32le()
  return cursor.u32le() * 2 ** 32 + low
}

/** Reads UEFI_VARIABLE_DATA (PFP 10.4.2.6). Throws ShortRead if its lengths exceed its bytes. */
export function readVariable(bytes: Uint8Array, what = 'UEFI_VARIABLE_DATA'): VariableData {
  const cursor = new Cursor(bytes, what)
  const guid = guidText(cursor.named('VariableName').take(16))
  const [name, data] = [u64(cursor), u64(cursor)]
  const text = Buffer.from(cursor.named('UnicodeName').take(name * 2)).toString('utf16le')
  return { guid, name: text, data: cursor.named('VariableData').take(data), leftover: cursor.left }
}

const LIST_HEAD = 28
const OWNER = 16

/**
 * Reads a chain of EFI_SIGNATURE_LIST (UEFI specification, 32.4.1). Throws RangeError if sizes contradict each
 * other: a lenient reader would take header bytes for a signature.
 */
export function readSignatureLists(bytes: Uint8Array): readonly DatabaseSignature[] {
  const cursor = new Cursor(bytes, 'EFI_SIGNATURE_LIST')
  const found: DatabaseSignature[] = []
  while (cursor.left > 0) for (const one of readSignatureList(cursor)) found.push(one)
  return found
}

function readSignatureList(cursor: Cursor): readonly DatabaseSignature[] {
  const type = guidText(cursor.take(16))
  const [listSize, headerSize, size] = [cursor.u32le(), cursor.u32le(), cursor.u32le()]
  if (listSize < LIST_HEAD + headerSize || size < OWNER)
    throw new RangeError(
      `a list of ${listSize} bytes has a header of ${headerSize} and signatures of ${size}`,
    )
  const body = cursor.take(listSize - LIST_HEAD).subarray(headerSize)
  if (body.length % size !== 0)
    throw new RangeError(`${body.length} bytes are not a multiple of the signature size ${size}`)
  return Array.from({ length: body.length / size }, (_, at) => {
    const one = body.subarray(at * size, (at + 1) * size)
    return { type, owner: guidText(one.subarray(0, OWNER)), data: one.subarray(OWNER) }
  })
}

/** Prefixes of grub before a command or a kernel's command line. */
const PREFIXES = ['grub_cmd: ', 'kernel_cmdline: ', 'module_cmdline: '] as const

/** Splits text that a boot loader measured into the logged text and the hashed part. */
export function readCommand(
  data: Uint8Array,
): { readonly prefix: string; readonly hashed: Uint8Array } | undefined {
  const text = Buffer.from(data).toString('latin1')
  const prefix = PREFIXES.find((one) => text.startsWith(one))
  if (prefix === undefined) return undefined
  const end = data.at(-1) === 0 ? data.length - 1 : data.length
  return { prefix: prefix.slice(0, -2), hashed: data.subarray(prefix.length, end) }
}
