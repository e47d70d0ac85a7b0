import type { Readable } from 'node:stream'

/** A body with more bytes than its reader takes. */
export class BodyTooLong extends Error {}

/**
 * Reads a body of at most `most` bytes to its end. After one more byte it destroys the stream, and throws
 * {@link BodyTooLong}.
 */
export async function readBody(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += (chunk as Buffer).length
    if (size > most) throw new BodyTooLong(`the body has more than ${mebibytes(most)}`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** A number of bytes as `32 MiB`. */
export function mebibytes(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toFixed(1))} MiB`
}
