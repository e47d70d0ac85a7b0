import type { Data, Input } from './target.ts'

const BYTES = '$base64'
const BIG = '$integer'

/** An input as JSON text; bytes are base64, 64-bit numbers are decimal text. */
export function packInput(input: Input): string {
  return JSON.stringify(packed(input))
}

/** The inverse of {@link packInput}, for files that this program wrote; what they hold is not looked at further. */
export function unpackInput<Case extends Input>(text: string): Case {
  return unpacked(JSON.parse(text)) as Case
}

function packed(data: Data): unknown {
  if (data instanceof Uint8Array) return { [BYTES]: Buffer.from(data).toString('base64') }
  if (typeof data === 'bigint') return { [BIG]: String(data) }
  if (isList(data)) return data.map(packed)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, packed(value)]))
}

function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data)
}

function unpacked(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(unpacked)
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data)
  const [[key, value] = ['', '']] = entries
  if (entries.length === 1 && key === BYTES)
    return new Uint8Array(Buffer.from(String(value), 'base64'))
  if (entries.length === 1 && key === BIG) return BigInt(String(value))
  return Object.fromEntries(entries.map(([name, each]) => [name, unpacked(each)]))
}

/** Bytes and characters of an input, which is what work may be proportional to. */
export function sizeOf(data: Data): number {
  if (data instanceof Uint8Array || typeof data === 'string') return data.length
  if (typeof data !== 'object' || data === null) return 8
  return Object.values(data).reduce<number>((sum, each) => sum + 8 + sizeOf(each), 0)
}
