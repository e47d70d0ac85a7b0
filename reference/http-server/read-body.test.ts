import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

const LIMIT = 200_000

/** Reads a body that arrives in these pieces. */
function read(pieces: readonly Uint8Array[], length?: number): Promise<Buffer> {
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  const request = Object.assign(new PassThrough(), { headers })
  const body = readBody(request as unknown as IncomingMessage, LIMIT)
  for (const piece of pieces) request.write(piece)
  request.end()
  return body
}

const bytes = (size: number) => createHash('shake256', { outputLength: size }).digest()
const sizes = [0, 1, 65_536, 65_537, LIMIT]

test.each(sizes)('a body of %i bytes is read, with and without a length', async (size) => {
  const body = bytes(size)
  const pieces = [body.subarray(0, 10), body.subarray(10, 70_000), body.subarray(70_000)]
  expect((await read(pieces, size)).equals(body)).toBe(true)
  expect((await read(pieces)).equals(body)).toBe(true)
})

test.each([
  ['says so', LIMIT + 1],
  ['does not say so', undefined],
])('a body that is too long and %s is refused', async (_, length) => {
  await expect(read([bytes(LIMIT), bytes(1)], length)).rejects.toMatchObject({
    code: 'FST_ERR_CTP_BODY_TOO_LARGE',
  })
})

test.each([-1, 1])('a length that is wrong by %i is refused', async (difference) => {
  await expect(read([bytes(100_000)], 100_000 + difference)).rejects.toMatchObject({
    code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  })
})
