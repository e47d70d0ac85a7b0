import { constants, inflateSync } from 'node:zlib'
import { fromHex } from '../../simulator/tpm/write.ts'
import { withoutTrailing } from '../../simulator/uefi/without-trailing.ts'
import type { Blob } from './blob.ts'

/** Limit for inflated parts; every valid structure is much smaller. */
const MOST_INFLATED = 1024 * 1024

/** Whether the bytes are not empty and only printable ASCII and white space. */
export function isPlainText(bytes: Uint8Array): boolean {
  const plain = (byte: number) => (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13)
  return bytes.length > 0 && bytes.every(plain)
}

/** A blob of raw bytes. */
export function rawBlob(bytes: Uint8Array): Blob {
  return { bytes, form: 'raw', broken: [], odd: [] }
}

/** Decodes a file that contains only hexadecimal or base64; otherwise returns its raw bytes. */
export function readBlob(bytes: Uint8Array): Blob {
  if (!isPlainText(bytes)) return rawBlob(bytes)
  const text = new TextDecoder().decode(bytes).trim()
  const joined = text.replace(/[\s:]+/g, '')
  if (/^[0-9a-fA-F]+$/.test(joined)) return readHex(joined)
  return /^[A-Za-z0-9+/=_\-\s]+$/.test(text) ? readBase64(text) : rawBlob(bytes)
}

/** Decodes hexadecimal digits; an odd last digit is an error. */
function readHex(digits: string): Blob {
  const whole = digits.length - (digits.length % 2)
  const bytes = fromHex(digits.slice(0, whole))
  const why = 'the hexadecimal text has an odd number of digits'
  const broken = whole === digits.length ? [] : [{ offset: bytes.length, path: '', why }]
  return { bytes, form: 'hexadecimal', broken, odd: [] }
}

/** Decodes base64 up to the first invalid character, and lists irregularities of the encoding. */
export function readBase64(text: string): Blob {
  const joined = text.replace(/\s+/g, '')
  const stray = joined.search(/[^A-Za-z0-9+/=_-]/)
  const body = stray === -1 ? joined : joined.slice(0, stray)
  const digits = withoutTrailing(body, '=')
  const bytes = new Uint8Array(Buffer.from(digits, 'base64'))
  const why =
    stray !== -1
      ? `character ${stray} of the base64 text is not a base64 character`
      : digits.length % 4 === 1
        ? 'the base64 text ends in the middle of a byte'
        : undefined
  const broken = why === undefined ? [] : [{ offset: bytes.length, path: '', why }]
  return { bytes, form: 'base64', broken, odd: why === undefined ? oddBase64(text, bytes) : [] }
}

function oddBase64(text: string, bytes: Uint8Array): Blob['odd'] {
  const joined = text.replace(/\s+/g, '')
  const right = Buffer.from(bytes).toString('base64')
  if (joined === right) return []
  const says = /[-_]/.test(joined)
    ? 'it uses the URL alphabet (base64url)'
    : withoutTrailing(joined, '=') === withoutTrailing(right, '=')
      ? 'the padding is wrong'
      : 'the unused bits after the last byte are not zero'
  return [{ id: 'odd-base64', says }]
}

function looksInflatable([first = 0, second = 0]: Uint8Array): boolean {
  return first === 0x78 && (first * 256 + second) % 31 === 0
}

function inflate(bytes: Uint8Array): { readonly out: Uint8Array; readonly why?: string } {
  const maxOutputLength = MOST_INFLATED
  try {
    return { out: new Uint8Array(inflateSync(bytes, { maxOutputLength })) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return { out: new Uint8Array(), why: `it inflates to more than ${MOST_INFLATED} bytes` }
    }
  }
  try {
    const finishFlush = constants.Z_SYNC_FLUSH
    const out = new Uint8Array(inflateSync(bytes, { maxOutputLength, finishFlush }))
    return { out, why: 'the zlib stream is truncated' }
  } catch {
    return { out: new Uint8Array(), why: 'the zlib stream is damaged' }
  }
}

/** Inflates a part of an API 1.0 quote, which is a zlib stream in base64; returns any other blob unchanged. */
export function inflated(blob: Blob): Blob {
  if (!looksInflatable(blob.bytes)) return blob
  const { out, why } = inflate(blob.bytes)
  return {
    bytes: out,
    form: `${blob.form} of a zlib stream`,
    broken: [...blob.broken, ...(why === undefined ? [] : [{ offset: out.length, path: '', why }])],
    odd: [...blob.odd, { id: 'compressed-part', says: `${blob.bytes.length} bytes of zlib` }],
  }
}
