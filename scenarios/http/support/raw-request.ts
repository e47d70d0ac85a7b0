import type { HttpsClient } from '../../../conformance/client/https-client.ts'
import type { RawAnswer } from '../../../conformance/client/raw-client.ts'
import type { Carried } from './carried.ts'
import { fill } from './http-table.ts'

/** Lines of a request, with the placeholders filled in. The body has one character for each byte. */
export function rawLines(
  lines: readonly string[],
  carried: Pick<Carried, 'path'>,
  body: string,
): string {
  const chunk = `${body.length.toString(16)}`
  return fill(lines.join('\r\n'), {
    path: carried.path,
    body,
    length: String(body.length),
    short: String(body.length - 10),
    chunks: `${chunk}\r\n${body}\r\n0\r\n\r\n`,
    morsels: () => `${Array.from(body, (char) => `1\r\n${char}\r\n`).join('')}0\r\n\r\n`,
    extended: `${chunk};a=b;c="d"\r\n${body}\r\n0;e\r\n\r\n`,
    trailed: `${chunk}\r\n${body}\r\n0\r\nx-checksum: 1\r\ncontent-length: 7\r\n\r\n`,
  })
}

/** Sends the request as these lines. */
export function sendLines(
  client: HttpsClient,
  carried: Omit<Carried, 'isThere'>,
  lines: readonly string[],
): Promise<RawAnswer> {
  const body = Buffer.from(JSON.stringify(carried.body)).toString('latin1')
  const bytes = [Buffer.from(rawLines(lines, carried, body), 'latin1')]
  return client.raw({ url: carried.url, credentials: carried.credentials, bytes })
}

/** A request as ordinary clients send it. */
export const PLAIN_REQUEST = [
  'POST {path} HTTP/1.1',
  'host: assay',
  'connection: close',
  'content-type: application/json',
  'content-length: {length}',
  '',
  '{body}',
] as const

/** The same with a body in chunks of one byte. */
export const IN_CHUNKS = [
  ...PLAIN_REQUEST.slice(0, -3),
  'transfer-encoding: chunked',
  '',
  '{morsels}',
] as const
