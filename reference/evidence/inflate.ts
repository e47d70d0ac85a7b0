import { inflateSync } from 'node:zlib'
import { WireError } from '../bytes/wire-error.ts'

/** Most bytes a part may have; a PCR blob of 24 PCRs in each of 16 banks has 25,672. */
export const INFLATED_LIMIT = 32_768

/** Highest ratio of inflated to compressed size; a PCR blob of one PCR comes to 12. */
export const INFLATED_RATIO = 64

/**
 * The contents of a zlib stream (RFC 1950), which has to fill its bytes exactly.
 * Inflating stops at the limit, so a stream costs no more than its contents may.
 *
 * @throws {WireError} at the first byte of the contents over the limit, or at bytes after the stream
 */
export function inflate(stream: Uint8Array, path: string): Uint8Array {
  const limit = Math.min(INFLATED_LIMIT, stream.length * INFLATED_RATIO)
  const { bytes, consumed } = run(stream, limit, path)
  if (consumed !== stream.length)
    throw new WireError(
      path,
      consumed,
      `${stream.length - consumed} byte(s) left over after the zlib stream`,
    )
  return bytes
}

function run(stream: Uint8Array, limit: number, path: string) {
  try {
    const options = { maxOutputLength: limit, info: true }
    // With `info` the result is not the buffer alone; the types do not reflect that.
    const { buffer, engine } = inflateSync(stream, options) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    return { bytes: new Uint8Array(buffer), consumed: engine.bytesWritten }
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new WireError(`${path}.inflated`, limit, `more than ${limit} bytes`)
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new WireError(path, 0, `is no zlib stream: ${(error as Error).message}`)
    throw error
  }
}
